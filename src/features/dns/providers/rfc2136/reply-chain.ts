/**
 * Proving that the replies to one request come from who has the key (RFC 8945 §5.3, §5.3.1).
 *
 * The first message must be signed, with the request's MAC in its digest. Of the others of a transfer at most 99 in a row
 * may go unsigned; they enter the digest of the next signed one. The last must be signed, else its end could be forged.
 */
import { timingSafeEqual } from 'node:crypto'
import { MAX_MESSAGE, type Message } from './message.ts'
import { FUDGE_S, hmac, priorMac, timers, type Tsig, type TsigKey, unsignedForm, variables } from './tsig.ts'

const MAX_UNSIGNED = 99
/** The TSIG error (RFC 8945 §3) that comes with the server's own clock. */
const BADTIME = 18

/** `clock`: the signature is right and its time is not; `server_s` is the server's clock. */
export type Proof =
  | { readonly ok: true }
  | { readonly ok: false; readonly why: 'unsigned' | 'other_key' | 'wrong_mac' }
  | { readonly ok: false; readonly why: 'clock'; readonly server_s: number }

export class ReplyChain {
  readonly #key: TsigKey
  #prior: Buffer
  #unsigned: Buffer[] = []
  #is_first = true

  constructor(key: TsigKey, request_mac: Buffer) {
    this.#key = key
    this.#prior = request_mac
  }

  /** Nothing of a message may be used before its turn here; of one that went unsigned not before a later one is proved. */
  prove(message: Message, tsig: Tsig | null, now_s: number): Proof {
    if (tsig === null) return this.#takeUnsigned(message)
    if (tsig.key_name !== this.#key.name || tsig.algorithm !== this.#key.algorithm)
      return { ok: false, why: 'other_key' }
    const signed = this.#is_first ? variables(this.#key, tsig) : timers(tsig)
    const parts = [priorMac(this.#prior), ...this.#unsigned, unsignedForm(message, tsig), signed]
    const mac = hmac(this.#key, parts)
    // Full length only: a shorter MAC is easier to guess, and we never ask for one.
    if (mac.length !== tsig.mac.length || !timingSafeEqual(mac, tsig.mac))
      return { ok: false, why: 'wrong_mac' }
    this.#prior = tsig.mac
    this.#unsigned = []
    this.#is_first = false
    return timeProof(tsig, now_s)
  }

  /** True when nothing is left that only a later signature could prove. */
  get is_closed(): boolean {
    return !this.#is_first && this.#unsigned.length === 0
  }

  #takeUnsigned({ bytes }: Message): Proof {
    if (this.#is_first || this.#unsigned.length >= MAX_UNSIGNED || bytes.length > MAX_MESSAGE)
      return { ok: false, why: 'unsigned' }
    this.#unsigned.push(bytes)
    return { ok: true }
  }
}

function timeProof({ time_s, error, other }: Tsig, now_s: number): Proof {
  // §5.2.3: the time of such a reply is that of the request; the server's own stands in the other data.
  if (error === BADTIME)
    return { ok: false, why: 'clock', server_s: other.length === 6 ? other.readUIntBE(0, 6) : time_s }
  return Math.abs(now_s - time_s) > FUDGE_S ? { ok: false, why: 'clock', server_s: time_s } : { ok: true }
}
