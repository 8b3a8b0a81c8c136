/** From the error of a socket to one coarse word: enough to act on, too little to map a network with. */
import { systemErrorCode } from '../../../../kernel/failure.ts'
import type { ProbeFailure } from './port.ts'

const WORDS: Readonly<Record<string, ProbeFailure>> = {
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
}

export function probeFailureOf(error: unknown): ProbeFailure {
  const code = systemErrorCode(error) ?? ''
  if (code.startsWith('HPE_')) return 'not_http'
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) return 'tls_failed'
  return WORDS[code] ?? 'broke_off'
}
