/** `plumbline certificates` against a daemon: nothing configured, and a store of the proxy's with one that ends soon. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { acmeJson, certificateAuthority } from '../fakes/certificate-authority.ts'
import { startFakeTraefik } from '../fakes/traefik/traefik.ts'
import { run } from './command.ts'
import { serve } from './command-daemon.ts'
import { createActive, openTestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

it('says what there is, who renews it, and what is wrong', async () => {
  const directory = newFolder('command')
  const authority = certificateAuthority()
  const env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_DNS_PROVIDER: 'none',
    PLUMBLINE_ACME_STORE: join(directory, 'acme.json'),
  }
  const ending = authority.issue({ names: ['app.example.com'], days: 10 })
  const good = authority.issue({ names: ['idle.example.com'], days: 90 })
  writeFileSync(env.PLUMBLINE_ACME_STORE, acmeJson([ending, good]), { mode: 0o600 })
  const daemon = await serve(env)
  try {
    await expect.poll(async () => (await run(['certificates'], env)).code).toBe(0)
    const listed = await run(['certificates'], env)
    expect(listed.out).toMatch(
      /^under_14_days +app\.example\.com +to \S+ \S+ +proxy \(letsencrypt\) +used by nobody/m,
    )
    expect(listed.out).toMatch(/^healthy +idle\.example\.com/m)
    expect(listed.err).toContain('1 under_14_days, 1 healthy')
    expect(listed.err).toContain('PLUMBLINE_ACME_DIRECTORY is not set')

    const json = JSON.parse((await run(['certificates', '--json'], env)).out) as { readonly counts: unknown }
    expect(json.counts).toEqual({ missing: 0, expired: 0, under_14_days: 1, under_30_days: 0, healthy: 1 })

    const reconciled = await run(['certificates', 'reconcile'], env)
    expect(reconciled).toMatchObject({ code: 0 })
    expect(reconciled.err).toContain('No certificates are obtained here')
    expect((await run(['certificates', 'renew'], env)).code).toBe(64)
  } finally {
    await daemon.stop()
    authority.close()
  }
})

itInDepth('names each that is not served its own, and says where that could not be seen', async () => {
  const traefik = await startFakeTraefik()
  await using at = await openTestHouse({
    env: { PLUMBLINE_TLS_ADDRESS: traefik.address('websecure') },
  })
  const env = { PLUMBLINE_DATA_DIR: at.directory }
  traefik.follow(at.house.routes_path)
  await createActive(at.call, { domain: 'app.example.com' })
  const told = async () => run(['certificates'], env)
  const names = /app\.example\.com is not served its own: What is served is for .*traefik\.default/
  await expect.poll(told).toMatchObject({ code: 0, err: expect.stringMatching(names) as unknown })
  await traefik.stop()
  const unseen = /what is served is not known: .*refuses connections/
  await expect.poll(told).toMatchObject({ code: 3, err: expect.stringMatching(unseen) as unknown })
})
