/**
 * How a VMID is made of a node, a purpose and a sequence: one letter a digit, `n`, `p` and `s`, each letter one block, such
 * as `npss`: 1203 is node 1, purpose 2, sequence 3. Pure. Proxmox VE takes 100 to 999999999.
 */
export const MIN_VMID = 100
export const MAX_VMID = 999_999_999

export interface Scheme {
  /** As it was written: `npss`. */
  readonly letters: string
  readonly node: Block
  readonly purpose: Block
  readonly sequence: Block
}

/** Decimal digits within a number. */
interface Block {
  readonly digits: number
  /** What one step in it is worth in the number. */
  readonly unit: number
}

export interface Parts {
  readonly node: number
  readonly purpose: number
  readonly sequence: number
}

const MIN_DIGITS = 3
const MAX_DIGITS = 9

/** Null for what is no scheme. */
export function parseScheme(letters: string): Scheme | null {
  if (letters.length < MIN_DIGITS || letters.length > MAX_DIGITS || /[^nps]/.test(letters)) return null
  const [node, purpose, sequence] = [blockOf(letters, 'n'), blockOf(letters, 'p'), blockOf(letters, 's')]
  if (node === null || purpose === null || sequence === null) return null
  return { letters, node, purpose, sequence }
}

/** Null where the letter is not there, or in two places. */
function blockOf(letters: string, letter: string): Block | null {
  const first = letters.indexOf(letter)
  const last = letters.lastIndexOf(letter)
  if (first < 0 || letters.slice(first, last + 1).replaceAll(letter, '') !== '') return null
  return { digits: last - first + 1, unit: 10 ** (letters.length - 1 - last) }
}

/** The largest number that a block holds. */
export const most = ({ digits }: Block): number => 10 ** digits - 1

/** Null where a part does not fit into its block, or the number is none that Proxmox VE takes. */
export function encode(scheme: Scheme, { node, purpose, sequence }: Parts): number | null {
  const fits = (value: number, block: Block) => Number.isInteger(value) && value >= 0 && value <= most(block)
  if (!fits(node, scheme.node) || !fits(purpose, scheme.purpose) || !fits(sequence, scheme.sequence))
    return null
  const vmid = node * scheme.node.unit + purpose * scheme.purpose.unit + sequence * scheme.sequence.unit
  return vmid < MIN_VMID || vmid > MAX_VMID ? null : vmid
}

/** A number with fewer digits has zeros in front. Null for one with more digits, and for what Proxmox VE does not take. */
export function decode(scheme: Scheme, vmid: number): Parts | null {
  if (!Number.isInteger(vmid) || vmid < MIN_VMID || vmid >= 10 ** scheme.letters.length) return null
  const at = ({ unit, digits }: Block) => Math.floor(vmid / unit) % 10 ** digits
  return { node: at(scheme.node), purpose: at(scheme.purpose), sequence: at(scheme.sequence) }
}
