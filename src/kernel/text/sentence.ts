/** What a person wrote, or another program said, as a sentence that another one can follow. */
export const asSentence = (text: string): string =>
  text === '' || /[.!?…]\s*$/.test(text) ? text : `${text}.`
