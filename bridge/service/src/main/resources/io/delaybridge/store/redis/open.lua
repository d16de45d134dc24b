return {'OK', next, seq, count}
