/** A word as a shell of POSIX reads it back as one. */
export const shellWord = (word: string): string =>
  /^[\w@+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
