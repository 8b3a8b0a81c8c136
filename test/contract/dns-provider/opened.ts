/** How the contract of DNS providers gets a provider, a zone to work in, and a second way to see what really stands there. */
import { afterEach, beforeEach } from 'vitest'
import type { Rrset } from '../../../src/model/network/dns.ts'
import type { DnsProvider } from '../../../src/features/dns/providers/port.ts'

/** Values in the model's normal form, in any order; null when no such set stands there. */
export type Standing = (
  name: string,
  type: string,
) => { readonly ttl: number | null; readonly values: readonly string[] } | null

/** The truth, by another way than the provider: `dig`, the file, the state of a fake. */
export interface World {
  /** Everything that stands there now: one transfer, however many sets are asked for. */
  look(): Promise<Standing>
  /**
   * Puts a set there as a stranger would, by the way of people: a console, an editor, another program. Types are A, AAAA,
   * CNAME, TXT, MX and CAA; `presentation` writes their values for servers. In place when the promise resolves.
   */
  addForeign(rrset: Rrset): Promise<void>
}

export interface OpenedProvider {
  readonly provider: DnsProvider
  /** A zone that is writable and of this test alone. */
  readonly zone: string
  readonly world: World
  /** The same service asked with another credential (a base64 text); left out where it has none. */
  readonly withCredential?: (secret: string) => DnsProvider
  /** The same provider whose service is looked for on this port of 127.0.0.1; left out where there is none. */
  readonly atPort?: (port: number) => DnsProvider
  /** From now on the service itself fails at every change of this set's name; left out where it cannot be made to. */
  readonly failAt?: (name: string) => Promise<void>
  close(): Promise<void>
}

export type OpenProvider = () => Promise<OpenedProvider>

/** A provider of its own for each test. */
export function eachProvider(open: OpenProvider): () => OpenedProvider {
  let opened: OpenedProvider | null = null
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(async () => {
    await opened?.close()
    opened = null
  })
  return () => {
    if (opened === null) throw new Error('only inside a test')
    return opened
  }
}
