/** Asks a daemon that runs in a process of its own, over HTTP and with a key. */
import { type Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export const KEY = 'bench-key-0123456789-0123456789-0123'
const START_MS = 20_000

export interface Answer {
  readonly status: number
  readonly text: string
}

export type Ask = (method: string, path: string, body?: string) => Promise<Answer>

/** @param agent keeps connections; left out: each call has one of its own */
export const askAt =
  (port: number, agent?: Agent): Ask =>
  (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers = { 'x-api-key': KEY, ...(body !== undefined && { 'content-type': 'application/json' }) }
      const options = { host: '127.0.0.1', port, method, path, headers, agent: agent ?? false }
      const asked = request(options, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part: string) => (text += part))
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      })
      asked.once('error', reject)
      asked.end(body)
    })

export async function untilUp(ask: Ask): Promise<void> {
  const until = performance.now() + START_MS
  while (performance.now() < until) {
    const up = await ask('GET', '/health').catch(() => null)
    if (up?.status === 200) return
    await sleep(20)
  }
  throw new Error('no answer')
}
