/** A scripted authority and a client of it for each test, on a clock that stands still. */
import { createPrivateKey } from 'node:crypto'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { type AcmeClient, createAcme } from '../../../../src/features/certificates/acme/create-acme.ts'
import { makeRequest } from '../../../../src/features/certificates/acme/make-request.ts'
import type { Failure } from '../../../../src/kernel/failure.ts'
import type { Secret } from '../../../../src/kernel/secret.ts'
import type { AcmeOrder, AcmeSettings } from '../../../../src/features/certificates/acme/port.ts'
import {
  type AcmeStub,
  type AuthorityFiles,
  makeAuthority,
  startAcmeStub,
} from '../../../fakes/acme/acme-stub.ts'
import type { Resource } from '../../../fakes/acme/misconduct.ts'
import { type HandClock, handClock } from '../../../fakes/hand-clock.ts'
import { failureOf, newAccountKey, signal } from './authority-world.ts'

export interface StubRig {
  readonly stub: AcmeStub
  readonly clock: HandClock
  readonly acme: AcmeClient
  client(settings?: Partial<AcmeSettings>): AcmeClient
}

/** The rig of the test that runs. */
export function eachStub(account_key = newAccountKey()): () => StubRig {
  let rig: StubRig
  let files: AuthorityFiles
  const clients: AcmeClient[] = []
  beforeAll(async () => {
    files = await makeAuthority()
  })
  afterAll(() => files.remove())
  beforeEach(async () => {
    const stub = await startAcmeStub(files)
    const clock = handClock()
    const client = (settings: Partial<AcmeSettings> = {}) => {
      const { directory_url: directory, ca_file } = stub
      const plain = { directory, contact: null, account_key, eab: null, ca_file }
      const made = createAcme({ ...plain, ...settings }, { clock })
      clients.push(made)
      return made
    }
    rig = { stub, clock, client, acme: client() }
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close()
    await rig.stub.stop()
  })
  return () => rig
}

/**
 * Catches the failures of a suite. After it, none of them shows a secret, wherever a log or an answer may look.
 * @param secrets beside the account's key
 */
export function refusals(account_key: Secret, secrets: readonly string[] = []) {
  const failures: Failure[] = []
  afterAll(() => {
    const { d = '' } = createPrivateKey(account_key.reveal()).export({ format: 'jwk' })
    const lines = account_key.reveal().split('\n').slice(1, 3)
    const shown = failures
      .map((failure) => inspect(failure, { depth: 9 }) + JSON.stringify(failure))
      .join('\n')
    expect(failures.length).toBeGreaterThan(0)
    for (const canary of [d, ...lines, ...secrets]) expect(shown).not.toContain(canary)
  })
  return async (call: Promise<unknown>): Promise<Failure> => {
    const failure = await failureOf(call)
    failures.push(failure)
    return failure
  }
}

export const NAMES = ['app.example.org', '*.app.example.org']

/** An order whose challenges were answered. */
export async function answered(acme: AcmeClient): Promise<AcmeOrder> {
  const order = await acme.newOrder({ names: NAMES, replaces: null }, signal)
  for (const url of order.authorization_urls) {
    const { dns } = await acme.authorization(url, signal)
    await acme.answer(dns!.url, signal)
  }
  return acme.order(order.url, signal)
}

export async function finalised(acme: AcmeClient): Promise<AcmeOrder> {
  const order = await answered(acme)
  const { csr } = await makeRequest(NAMES)
  return acme.finalize(order, csr, signal)
}

type Call = (signal: AbortSignal) => Promise<unknown>

/** A call that ends at each resource; what it takes to get there is done first. */
export const REACHING: Readonly<Record<Resource, (acme: AcmeClient) => Promise<Call>>> = {
  directory: async (acme) => (signal) => acme.account(signal),
  'new-nonce': async (acme) => (signal) => acme.account(signal),
  'new-account': async (acme) => (signal) => acme.account(signal),
  'new-order': async (acme) => (signal) => acme.newOrder({ names: NAMES, replaces: null }, signal),
  order: async (acme) => {
    const { url } = await acme.newOrder({ names: NAMES, replaces: null }, signal)
    return (signal) => acme.order(url, signal)
  },
  authorization: async (acme) => {
    const { authorization_urls } = await acme.newOrder({ names: NAMES, replaces: null }, signal)
    return (signal) => acme.authorization(authorization_urls[0]!, signal)
  },
  challenge: async (acme) => {
    const { authorization_urls } = await acme.newOrder({ names: NAMES, replaces: null }, signal)
    const { dns } = await acme.authorization(authorization_urls[0]!, signal)
    return (signal) => acme.answer(dns!.url, signal)
  },
  finalize: async (acme) => {
    const order = await answered(acme)
    const { csr } = await makeRequest(NAMES)
    return (signal) => acme.finalize(order, csr, signal)
  },
  certificate: async (acme) => {
    const order = await finalised(acme)
    return (signal) => acme.certificate(order, signal)
  },
  'renewal-info': async (acme) => (signal) => acme.renewalWindow('aYhba4dG.AIdlQyE', signal),
}
export const RESOURCES = Object.keys(REACHING) as Resource[]
