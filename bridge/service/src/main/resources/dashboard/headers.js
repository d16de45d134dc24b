// Headers as people write them: a line for each.

/**
 * @returns by name, the value; null for a name alone, which takes the header away
 * @throws Error with a sentence for a human
 */
export function parseHeaders(text) {
  const lines = text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  return Object.fromEntries(lines.map(parseLine));
}

function parseLine(line) {
  const at = line.indexOf('=');
  const name = (at < 0 ? line : line.slice(0, at)).trim();
  if (name === '' || /\s/.test(name)) {
    throw new Error(`“${line}” is neither name=value nor a name.`);
  }
  return [name, at < 0 ? null : line.slice(at + 1).trim()];
}
