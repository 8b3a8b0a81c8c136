/** A word as a shell reads it back as one; zsh would look up the command behind a bare `=`. */
export const shellWord = (word: string): string =>
  /^[\w@+:,./-][\w@+=:,./-]*$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
