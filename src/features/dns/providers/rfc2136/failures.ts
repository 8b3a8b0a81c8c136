/**
 * What an answer that is no success means, and what would help. Servers differ: PowerDNS refuses a wrong key, a wrong
 * clock and a missing right alike and unsigned (REFUSED); BIND and Knot name them (NOTAUTH with a TSIG error).
 */
import { isoTime } from '../../../../kernel/clock.ts'
import { Failure, type FailureCode } from '../../../../kernel/failure.ts'
import { SERVER_FAILED } from '../port.ts'
import type { Proof } from './reply-chain.ts'
import { FUDGE_S } from './tsig.ts'

export interface Answered {
  /** `rfc2136: 192.0.2.1:53, zone example.com`. */
  readonly where: string
  readonly key_name: string
  /** What was asked for, for messages: `update`, `transfer`, `query`. */
  readonly operation: string
  readonly rcode: number
  readonly tsig_error: number
  readonly proof: Proof
  readonly now_s: number
  /** Whether the server serves the zone to everybody: asked where the refusal itself leaves that open, else null. */
  readonly is_served: boolean | null
}

const RCODES = [
  'NOERROR',
  'FORMERR',
  'SERVFAIL',
  'NXDOMAIN',
  'NOTIMP',
  'REFUSED',
  'YXDOMAIN',
  'YXRRSET',
  'NXRRSET',
  'NOTAUTH',
  'NOTZONE',
]
const rcodeName = (rcode: number): string => RCODES[rcode] ?? `RCODE${rcode}`

type Sentence = readonly [code: FailureCode, text: string]

const BY_TSIG_ERROR: Readonly<Record<number, (key: string) => Sentence>> = {
  16: (key) => [
    'provider_credentials',
    `the signature of key ${key} is wrong to the server (BADSIG). Compare its secret and algorithm on both sides`,
  ],
  17: (key) => [
    'provider_credentials',
    `the server does not know the key ${key} with this algorithm, or does not let it do this (BADKEY). Compare the key's name and algorithm on both sides, and see that the zone's access list has the key and the types`,
  ],
  22: (key) => [
    'provider_credentials',
    `the server wants another length of signature for key ${key} (BADTRUNC)`,
  ],
}

const NOT_IN_CHARGE: Sentence = [
  'component_unavailable',
  'the server is not in charge of the zone. See that it is loaded there as a primary',
]

/** Refused to a key that the server has proved to know. */
const BY_RIGHTS: Readonly<Record<string, Sentence>> = {
  update: [
    'provider_refused',
    'the server knows the key and refuses this update. See its update policy or access list (zone, names, types), and whether an alias (CNAME) would stand beside other records. None of its sets was changed',
  ],
  transfer: [
    'provider_credentials',
    'the server knows the key and does not let it transfer the zone. Add the key to its transfer access list',
  ],
}

const BY_RCODE: Readonly<Record<string, (operation: string) => Sentence>> = {
  FORMERR: (operation) => ['provider_refused', `the ${operation} is malformed to the server. See its log`],
  SERVFAIL: (operation) => ['component_unavailable', `the server failed at the ${operation}. See its log`],
  NXDOMAIN: () => ['component_unavailable', 'the server knows no such zone. See that it is loaded there'],
  NOTIMP: (operation) => [
    'provider_refused',
    `the server does no ${operation}. Turn it on there (PowerDNS: dnsupdate=yes)`,
  ],
  REFUSED: (operation) => BY_RIGHTS[operation] ?? NOT_IN_CHARGE,
  YXDOMAIN: () => [
    'provider_refused',
    'an alias (CNAME) was to stand where other records are. None of its sets was changed',
  ],
  YXRRSET: () => [
    'provider_refused',
    'a set was to stand where an alias (CNAME) is. None of its sets was changed',
  ],
  NOTAUTH: () => NOT_IN_CHARGE,
  NOTZONE: () => ['provider_refused', 'a name lies outside the zone to the server'],
}

/** True when only the server's own view of the zone can tell a wrong key from a zone that is not there. */
export const isAmbiguous = ({ rcode, tsig_error, proof }: Omit<Answered, 'is_served'>): boolean =>
  !proof.ok &&
  proof.why === 'unsigned' &&
  tsig_error === 0 &&
  ['REFUSED', 'NOTAUTH'].includes(rcodeName(rcode))

/** Called for everything but a proved answer of NOERROR. The facts say whether it is about the zone alone. */
export function failureOf(answered: Answered): Failure {
  const [code, text] = sentence(answered)
  const rcode = rcodeName(answered.rcode)
  return new Failure(code, `${answered.where}: ${text}.`, {
    facts: {
      rcode,
      about_zone: text === NOT_IN_CHARGE[1] || rcode === 'NXDOMAIN',
      proved: answered.proof.ok,
      ...(rcode === 'SERVFAIL' && answered.operation === 'update' && SERVER_FAILED),
    },
    inside: `${rcode}, TSIG error ${answered.tsig_error}, proof ${JSON.stringify(answered.proof)}`,
  })
}

function sentence(answered: Answered): Sentence {
  const { proof, rcode, tsig_error, key_name, operation, is_served } = answered
  const by_error = BY_TSIG_ERROR[tsig_error]
  if (by_error !== undefined) return by_error(key_name)
  if (!proof.ok && proof.why === 'clock') return clocks(proof.server_s, answered.now_s)
  const name = rcodeName(rcode)
  if (rcode === 0 || (!proof.ok && proof.why !== 'unsigned')) return unproved(proof, key_name)
  if (isAmbiguous(answered)) return is_served === false ? NOT_IN_CHARGE : withoutReason(operation, key_name)
  return (
    BY_RCODE[name]?.(operation) ?? [
      'component_unavailable',
      `the server answered ${name} to the ${operation}`,
    ]
  )
}

const withoutReason = (operation: string, key_name: string): Sentence => [
  'provider_credentials',
  `the ${operation} was refused without a reason. It is the key ${key_name} (name, algorithm, secret), the clock of one side, or the server's access list for this zone`,
]

function unproved(proof: Proof, key_name: string): Sentence {
  const why = !proof.ok && proof.why === 'unsigned' ? 'is not signed' : `is not signed with key ${key_name}`
  return [
    'component_unavailable',
    `the answer ${why}, so it is not believed. See that the server itself answers there, and no forwarder`,
  ]
}

const clocks = (server_s: number, now_s: number): Sentence => [
  'component_unavailable',
  `the clocks differ by ${Math.abs(server_s - now_s)} s (server ${isoTime(server_s * 1000)}, here ${isoTime(now_s * 1000)}), more than ${FUDGE_S} s. Set the clock that is wrong`,
]
