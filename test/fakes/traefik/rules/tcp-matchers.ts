/** The matchers of TCP rules, which know the greeting of TLS and the address alone. */
import { goRegexp } from '../go-regexp.ts'
import { hostMatcher } from './host.ts'
import { listed, type Matchers } from './matchers.ts'

export interface ConnectionFacts {
  /** Lower case; empty without TLS. */
  readonly server_name: string
  readonly protocols: readonly string[]
  readonly address: string
}

const NAME = /^(?:\*|(?:\*\.)?[\w.:-]+)$/

export const TCP_MATCHERS: Matchers<ConnectionFacts> = {
  HostSNI: {
    counts: [1],
    build: (value = '') => {
      if (!NAME.test(value))
        throw new Error(`invalid value ${JSON.stringify(value)} for HostSNI matcher, invalid hostname`)
      if (value === '*') return () => true
      const isHost = hostMatcher(value)
      return ({ server_name }) => server_name !== '' && isHost(server_name)
    },
  },
  HostSNIRegexp: {
    counts: [1],
    build: (source = '') => {
      const pattern = goRegexp(source)
      return ({ server_name }) => pattern.test(server_name)
    },
  },
  ClientIP: {
    counts: [1],
    build: (value = '') => {
      const isListed = listed(value)
      return ({ address }) => isListed(address)
    },
  },
  ALPN: {
    counts: [1],
    build: (value = '') => {
      if (value === 'acme-tls/1')
        throw new Error('invalid protocol value for ALPN matcher, "acme-tls/1" is not allowed')
      return ({ protocols }) => protocols.includes(value)
    },
  },
}
