/** What the operator says about one name server, and how a key is checked before its first use. */
import { Failure } from '../../../../kernel/failure.ts'
import type { Secret } from '../../../../kernel/secret.ts'
import { normalName } from '../domain-name.ts'
import { RecordFault } from '../record-fault.ts'
import type { Server } from './connection.ts'
import type { TsigKey } from './tsig.ts'
import { TSIG_ALGORITHMS, type TsigAlgorithm } from './tsig-algorithms.ts'

export interface Rfc2136Settings {
  readonly account: string
  /** The primary, which takes updates and gives transfers. */
  readonly server: Server
  /** A server does not tell which zones it has. */
  readonly zones: readonly string[]
  readonly key: { readonly name: string; readonly algorithm: TsigAlgorithm; readonly secret: Secret }
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Throws `bad_configuration` naming the setting, never its value where that is secret. */
export function checkKey({ name, algorithm, secret }: Rfc2136Settings['key']): TsigKey {
  if (!TSIG_ALGORITHMS.includes(algorithm))
    throw bad(`the key's algorithm must be one of ${TSIG_ALGORITHMS.join(', ')}`)
  const text = secret.reveal()
  if (text === '' || !BASE64.test(text))
    throw bad("the key's secret must be base64, as in the file that tsig-keygen or keymgr wrote")
  return { name: checkName(name, "the key's name"), algorithm, secret }
}

/** Without a closing dot, in lower case. */
export function checkName(name: string, what: string): string {
  try {
    return normalName(name.endsWith('.') ? name : `${name}.`, '.')
  } catch (error) {
    throw error instanceof RecordFault ? bad(`${what} ${error.message}`) : error
  }
}

const bad = (what: string): Failure => new Failure('bad_configuration', `rfc2136: ${what}.`)
