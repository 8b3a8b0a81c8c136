/** The webhook over a real server: signed, the same at every try, nothing followed, nothing secret said. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient } from '../../../../src/io/http-client/create-client.ts'
import { webhook } from '../../../../src/features/notifications/webhook/webhook.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import { testMessage } from '../../../../src/features/notifications/message.ts'
import type { HttpClient } from '../../../../src/ports/http-client.ts'
import {
  PATH_KEY,
  type ReceiverTrouble,
  webhookReceiver,
  type WebhookReceiver,
} from '../../../fakes/notify/webhook-receiver.ts'

const KEY = 'signing-key-of-this-test'
const MESSAGE = testMessage({ id: 'delivery-1', at: 0, source: 'https://ctl.example.com' })

let receiver: WebhookReceiver
let http: HttpClient
beforeEach(async () => {
  receiver = await webhookReceiver(KEY)
  http = createHttpClient({ clock: systemClock })
})
afterEach(async () => {
  await http.close()
  await receiver.close()
})

const hook = (url = receiver.url, key: string | null = KEY) =>
  webhook({ url: new Secret(url), key: key === null ? null : new Secret(key), http, clock: systemClock })
const send = (to = hook(), signal = AbortSignal.timeout(60_000)) => to.send(MESSAGE, signal)

it('what is posted is the message, signed over timestamp and body, under one id at every try', async () => {
  expect(await send()).toEqual({ kind: 'delivered', detail: null })
  expect(await send()).toEqual({ kind: 'delivered', detail: null })
  expect(receiver.taken.map(({ message }) => message)).toEqual([MESSAGE, MESSAGE])
  expect(receiver.taken.map(({ delivery }) => delivery)).toEqual(['delivery-1', 'delivery-1'])
  expect(receiver.taken[0]!.path).toBe(`/hooks/${PATH_KEY}`)
})

it('another key is refused by the receiver, and no key sends no signature', async () => {
  expect(await send(hook(receiver.url, 'another-key'))).toMatchObject({ kind: 'refused' })
  await using unsigned = {
    receiver: await webhookReceiver(null),
    [Symbol.asyncDispose]: () => unsigned.receiver.close(),
  }
  expect(await send(hook(unsigned.receiver.url, null))).toEqual({ kind: 'delivered', detail: null })
})

describe('an answer', () => {
  it.each<[ReceiverTrouble, object]>([
    [{ status: 400 }, { kind: 'refused' }],
    [{ status: 401 }, { kind: 'refused' }],
    [{ status: 404 }, { kind: 'refused' }],
    [{ status: 410 }, { kind: 'refused' }],
    [{ status: 408 }, { kind: 'passing', retry_after_ms: 0 }],
    [
      { status: 429, headers: { 'retry-after': '7' } },
      { kind: 'passing', retry_after_ms: 7000 },
    ],
    [{ status: 500 }, { kind: 'passing' }],
    [
      { status: 503, headers: { 'retry-after': '60' } },
      { kind: 'passing', retry_after_ms: 60_000 },
    ],
    ['reset', { kind: 'passing' }],
    ['taken_then_reset', { kind: 'passing' }],
  ])('%j', async (how, expected) => {
    receiver.misbehave(how)
    const outcome = await send()
    expect(outcome).toMatchObject(expected)
    expect(outcome.detail).not.toContain(PATH_KEY)
    expect(outcome.detail).toContain('127.0.0.1')
  })

  it('that leads elsewhere is not followed', async () => {
    let asked = 0
    const elsewhere = createServer((_request, response) => {
      asked++
      response.end()
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.misbehave({ status, headers: { location } })
      const outcome = await send()
      expect(outcome).toMatchObject({ kind: 'refused' })
      expect(outcome.detail).toContain('redirects are not followed')
    }
    await new Promise((resolve) => elsewhere.close(resolve))
    expect(asked).toBe(0)
  })

  it('that never comes ends with the caller’s signal', async () => {
    receiver.misbehave('hang')
    const gone = new AbortController()
    const sending = send(hook(), gone.signal)
    await expect.poll(() => receiver.posted.length).toBe(1)
    gone.abort(new Error('enough'))
    await expect(sending).rejects.toThrow('enough')
  })
})

it('nobody there is a passing trouble, and neither name nor target says the address', async () => {
  const { url } = receiver
  await receiver.close()
  const to = hook(url)
  const outcome = await send(to)
  expect(outcome).toMatchObject({ kind: 'passing' })
  expect(JSON.stringify([outcome, to.name, to.target])).not.toContain(PATH_KEY)
  expect(to.name).toMatch(/^webhook-[0-9a-f]{8}$/)
  receiver = await webhookReceiver()
})
