/** Others that repeat in a refusal what we have sent them: no credential of ours comes into an answer, keyless ones least of all. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { keepingLog } from '../io/files/scratch.ts'
import { CLIENT, fakeGmail } from '../fakes/mail/gmail.ts'
import { UNIFI_KEY, UNIFI_PASSWORD, UNIFI_USER, unifiApi } from '../fakes/lab/unifi.ts'
import { PROXMOX_TOKEN, proxmoxApi } from '../fakes/proxmox/proxmox.ts'
import { openTestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const VIEWS = [
  '/api/network/summary',
  '/api/network/lan-hosts',
  '/network',
  '/api/discover',
  '/api/discover/homelab',
  '/api/email/aliases',
  '/api/email/health',
  '/api/control-plane/health?probe=true',
  '/metrics',
  '/api/notifications',
]

const refuse = (response: ServerResponse, status: number, words: string): true => {
  response.writeHead(status, words, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ meta: { rc: 'error', msg: words }, message: words, code: words, data: [] }))
  return true
}

/** Everything that is answered and logged while each of them repeats the credential. */
async function told(env: Readonly<Record<string, string>>): Promise<string> {
  const log = keepingLog()
  await using at = await openTestHouse({ env, log })
  const answers: unknown[] = []
  for (const path of VIEWS) {
    const { status, body } = await at.call('GET', path)
    answers.push(status, body)
  }
  answers.push((await at.call('POST', '/api/email/refresh-token')).body)
  return `${JSON.stringify(answers)} ${JSON.stringify(log.lines)}`
}

it.each(['key', 'login'] as const)('a UniFi controller that is asked by %s', async (kind) => {
  const unifi = await unifiApi({ kind })
  try {
    unifi.answer = (request, response) => {
      const login = request.url?.includes('login') === true
      const words = kind === 'key' ? `bad key ${UNIFI_KEY}` : `no user with ${UNIFI_PASSWORD}`
      if (kind === 'login' && !login && request.url !== '/' && request.headers.cookie === undefined)
        return false
      if (kind === 'login' && (login || request.url === '/')) return false
      return refuse(response, 403, words)
    }
    const credentials: Record<string, string> =
      kind === 'key'
        ? { PLUMBLINE_UNIFI_API_KEY: UNIFI_KEY }
        : { PLUMBLINE_UNIFI_USER: UNIFI_USER, PLUMBLINE_UNIFI_PASSWORD: UNIFI_PASSWORD }
    const text = await told({ PLUMBLINE_UNIFI_URL: `home=${unifi.base}`, ...credentials })
    // Of what a controller says only plain words are told.
    expect(text).toContain(kind === 'key' ? 'bad key …' : 'no user with')
    expect(text).not.toContain(UNIFI_KEY)
    expect(text).not.toContain(JSON.stringify(UNIFI_PASSWORD).slice(1, -1))
  } finally {
    await unifi.close()
  }
})

itInDepth('a Proxmox cluster', async () => {
  const proxmox = await proxmoxApi()
  const secret = PROXMOX_TOKEN.split('=')[1]!
  try {
    proxmox.answer = (_request, response) => refuse(response, 403, `no ${PROXMOX_TOKEN}, nor ${secret}`)
    const env = { PLUMBLINE_PROXMOX: `lab=${proxmox.base}`, PLUMBLINE_PROXMOX_TOKEN: PROXMOX_TOKEN }
    const text = await told(env)
    expect(text).toContain('[hidden]')
    expect(text).not.toContain(secret)
  } finally {
    await proxmox.close()
  }
})

itInDepth('the token endpoint of Google', async () => {
  const google = await fakeGmail()
  const endpoint = createServer((_request, response) => {
    response.writeHead(500, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: `no ${CLIENT.refresh_token} of ${CLIENT.secret}` }))
  })
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
  try {
    const text = await told({
      PLUMBLINE_MAIL_PROVIDER: 'gmail',
      PLUMBLINE_GMAIL_CLIENT_ID: CLIENT.id,
      PLUMBLINE_GMAIL_CLIENT_SECRET: CLIENT.secret,
      PLUMBLINE_GMAIL_REFRESH_TOKEN: CLIENT.refresh_token,
      PLUMBLINE_GMAIL_URL: google.base,
      PLUMBLINE_GMAIL_TOKEN_URL: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/token`,
    })
    expect(text).toContain('[hidden]')
    expect(text).not.toContain(CLIENT.refresh_token)
    expect(text).not.toContain(CLIENT.secret)
  } finally {
    endpoint.closeAllConnections()
    endpoint.close()
    await google.close()
  }
})
