/** What issuing is made of. */
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Acme } from '../acme/port.ts'
import type { CaaCheck } from '../../dns/challenges/caa-port.ts'
import type { CertificateFiles } from '../files/port.ts'
import type { CertificateStore } from '../records.ts'
import type { MakeRequest } from './request.ts'
import type { ChallengeRecords } from '../../dns/challenges/port.ts'
import type { KeyFits, ReadChain } from '../../../ports/x509.ts'

export interface IssuerParts {
  readonly store: CertificateStore
  readonly files: CertificateFiles
  readonly acme: Acme
  /** Where the next try is rehearsed after a failure; null for nowhere. */
  readonly staging: Acme | null
  readonly challenges: ChallengeRecords
  readonly makeRequest: MakeRequest
  readonly readChain: ReadChain
  readonly keyFits: KeyFits
  /** The id of the leaf in renewal information (RFC 9773 §4.1). */
  readonly ariId: (chain_pem: string) => string | null
  readonly caa: CaaCheck
  readonly clock: Clock
  readonly log: Log
  /** Uniform in [0, 1). */
  readonly random: () => number
  /** A new id of an order. */
  readonly newId: () => string
}
