// Headers as people write them: a line for each.

/**
 * @returns as the API takes it: what to give, and what to remove, which a name alone says
 * @throws Error with a sentence for a human
 */
export function parseHeaders(text) {
  const lines = text.split('\n').map((line) => line.trim()).filter((line) => line !== '').map(parseLine);
  return {
    headers: lines.filter(({ value }) => value !== null),
    removeHeaders: lines.filter(({ value }) => value === null).map(({ name }) => name),
  };
}

function parseLine(line) {
  const at = line.indexOf('=');
  const name = (at < 0 ? line : line.slice(0, at)).trim();
  if (name === '' || /\s/.test(name)) {
    throw new Error(`“${line}” is neither name=value nor a name.`);
  }
  return { name, value: at < 0 ? null : line.slice(at + 1).trim() };
}
