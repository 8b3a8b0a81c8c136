/** Why a piece of DNS data is not what it should be, as an exception on the way to whoever knows file or message around it. */

/** `message` is the end of a sentence: `is not an IPv4 address: "1.2"`. Never leaves the adapters as it is. */
export class RecordFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'RecordFault'
  }
}

/** Foreign text in a message: short, quoted, one line. */
export const shown = (text: string): string =>
  JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
