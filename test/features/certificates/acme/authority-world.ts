/** Real parts for an order: Pebble, the PowerDNS that it asks, and clients with keys of their own. Stopped after the suite. */
import { generateKeyPairSync } from 'node:crypto'
import { afterAll } from 'vitest'
import {
  createAcme,
  type AcmeClient,
  type AcmeOptions,
} from '../../../../src/features/certificates/acme/create-acme.ts'
import { makeRequest } from '../../../../src/features/certificates/acme/make-request.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import type { AcmeOrder, AcmeSettings } from '../../../../src/features/certificates/acme/port.ts'
import { until } from '../../../peers/peer.ts'
import { type Pebble, type PebbleOptions, startPebble } from '../../../peers/pebble.ts'
import { type PowerDns, startPowerDns } from '../../../peers/powerdns.ts'

export const ZONE = 'home.example.org'
export const signal = new AbortController().signal

export interface World {
  readonly pebble: Pebble
  readonly dns: PowerDns
  client(settings?: Partial<AcmeSettings>, options?: Partial<AcmeOptions>): AcmeClient
  /** What stands at `_acme-challenge` of a name, replaced as a whole. */
  setTxt(record_name: string, values: readonly string[]): Promise<void>
  stop(): Promise<void>
}

export const newAccountKey = (): Secret =>
  new Secret(
    generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
  )

async function startWorld(options: Omit<PebbleOptions, 'dns_server'> = {}): Promise<World> {
  const dns = await startPowerDns()
  await dns.addZone(ZONE)
  const pebble = await startPebble({ ...options, dns_server: `127.0.0.1:${dns.dns_port}` })
  const clients: AcmeClient[] = []
  return {
    pebble,
    dns,
    client(settings = {}, more = {}) {
      const client = createAcme(
        {
          directory: pebble.directory_url,
          contact: null,
          account_key: newAccountKey(),
          eab: null,
          ca_file: pebble.ca_file,
          ...settings,
        },
        { clock: systemClock, ...more },
      )
      clients.push(client)
      return client
    },
    async setTxt(record_name, values) {
      const changetype = values.length === 0 ? 'DELETE' : 'REPLACE'
      const records = values.map((value) => ({ content: `"${value}"`, disabled: false }))
      const rrset = { name: `${record_name}.`, type: 'TXT', ttl: 1, changetype, records }
      await dns.api('PATCH', `/zones/${ZONE}.`, { rrsets: [rrset] })
    },
    async stop() {
      for (const client of clients) await client.close()
      await pebble.stop()
      await dns.stop()
    },
  }
}

/** A world that ends with the suite. */
export function suiteWorld(): (options?: Omit<PebbleOptions, 'dns_server'>) => Promise<World> {
  const worlds: World[] = []
  afterAll(async () => {
    for (const world of worlds) await world.stop()
  })
  return async (options) => {
    const world = await startWorld(options)
    worlds.push(world)
    return world
  }
}

export type Retry = <T>(call: () => Promise<T>) => Promise<T>
/** For an authority that refuses no nonces. */
const once: Retry = (call) => call()

/** What stands above the adapter does in production, without its waits: a step that failed for now is tried again. */
export const again: Retry = async (call) => {
  for (let tries = 1; ; tries++) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'component_unavailable' || tries === 20) throw error
    }
  }
}

/** Puts the TXT records of all open authorisations and answers them; resolves when the order can be finalised. */
export async function authorise(
  world: World,
  acme: AcmeClient,
  { order, retry = once }: Step,
): Promise<AcmeOrder> {
  const open = []
  for (const url of order.authorization_urls) {
    const found = await retry(() => acme.authorization(url, signal))
    if (found.status === 'pending') open.push(found.dns!)
  }
  for (const { record_name } of open) {
    const there = open.filter((other) => other.record_name === record_name)
    await world.setTxt(
      record_name,
      there.map(({ record_value }) => record_value),
    )
  }
  for (const { url } of open) await retry(() => acme.answer(url, signal))
  return settled(acme, { order, retry })
}

/** The order once the authority has looked at all that was answered; no record is put for it. */
export function settled(acme: AcmeClient, { order, retry = once }: Step): Promise<AcmeOrder> {
  return until('the order to leave "pending"', async () => {
    const now = await retry(() => acme.order(order.url, signal))
    return now.status !== 'pending' && now
  })
}

export interface Step {
  readonly order: AcmeOrder
  readonly retry?: Retry
}

/** From a ready order to its chain. */
export async function issue(acme: AcmeClient, { order, retry = once }: Step) {
  const { csr, key_pem } = await makeRequest(order.names)
  await retry(() => acme.finalize(order, csr, signal))
  const valid = await until('the certificate', async () => {
    const now = await retry(() => acme.order(order.url, signal))
    return now.status !== 'processing' && now
  })
  return { chain: await retry(() => acme.certificate(valid, signal)), key_pem, order: valid }
}

/** The failure of a call; throws when there is none. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const error = await call.then(
    () => new Error('the call succeeded'),
    (thrown: unknown) => thrown,
  )
  if (error instanceof Failure) return error
  throw error
}
