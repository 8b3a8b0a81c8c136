/** Values as providers' APIs write them, in the presentation format of master files (RFC 1035 §5.1), and as the model has them. */
import { dataFromValue, dataFromWords, fileWords, hasGrammar, valueOf } from './rdata.ts'
import { RecordFault } from './record-fault.ts'
import { tokensOf } from './tokens.ts'

/** What we write must be right to the octet, so a listing that holds nonsense of these types is no listing. */
const STRICT = ['A', 'AAAA', 'CNAME', 'TXT']

/** For the wire: names absolute, texts in quoted strings of up to 255 octets. Throws RecordFault. */
export const presented = (type: string, value: string): string => fileWords(type, dataFromValue(type, value))

/**
 * For the model. What is written in a way that we do not know stays as it is where the type is only read, and is a
 * RecordFault where we manage the type or answer for it.
 */
export function fromPresented(type: string, text: string): string {
  if (!hasGrammar(type)) return text.trim()
  try {
    return valueOf(type, dataFromWords(type, tokensOf(text), '.'))
  } catch (error) {
    if (error instanceof RecordFault && !STRICT.includes(type)) return text.trim()
    throw error
  }
}
