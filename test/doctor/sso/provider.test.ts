/** What doctor finds of a provider that takes the question and never answers it. */
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { loadConfig } from '../../../src/settings-wiring.ts'
import { provider } from '../../../src/doctor/sso/provider.ts'

it('silence is a finding, and not the end of the examination', async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const { settings } = loadConfig({ PLUMBLINE_SSO_URL: url })
    expect(await provider(settings, 50)).toEqual([
      expect.objectContaining({ check: 'SSO provider', state: 'bad' }),
    ])
    expect(sockets.size).toBe(1)
  } finally {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
})
