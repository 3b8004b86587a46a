// Where a text has what somebody looks for: starts and ends by turns, in UTF-16 code units. Nothing if
// a pattern cannot be read.
const MOST = 20000;

export const find = (text, sought, isPattern) => {
  const source = isPattern ? sought : sought.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const found = [];
  try {
    for (const match of text.matchAll(new RegExp(source, 'giu'))) {
      if (match[0]) found.push(match.index, match.index + match[0].length);
      if (found.length > MOST) break;
    }
  } catch {
    return undefined;
  }
  return new Uint32Array(found);
};
