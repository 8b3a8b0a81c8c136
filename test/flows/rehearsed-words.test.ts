/** A rehearsal from a shell: what the call would do, nothing done, and exit code 2 where there is something to do. */
import { fetch } from 'undici'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { webhookReceiver } from '../fakes/notify/webhook-receiver.ts'
import { run } from './command.ts'
import { serve, type ServedDaemon } from './command-daemon.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let env: Record<string, string>
let daemon: ServedDaemon
let receiver: Awaited<ReturnType<typeof webhookReceiver>>

beforeAll(async () => {
  directory = newFolder('rehearsed')
  receiver = await webhookReceiver()
  env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_DNS_PROVIDER: 'none',
    PLUMBLINE_NOTIFY_WEBHOOK: receiver.url,
    // Nobody is asked by a rehearsal, so nobody has to be there.
    PLUMBLINE_ALERTMANAGER_URL: 'http://127.0.0.1:9',
  }
  daemon = await serve(env)
})
afterAll(async () => {
  await daemon.stop()
  await receiver.close()
})

const on = (...words: string[]) => run(words, env)

it('of a test notification says who would be sent it, and sends nothing', async () => {
  const ran = await on('notifications', 'test', '--dry-run')
  expect(ran, ran.err).toMatchObject({ code: 2, err: 'Nothing was changed.\n' })
  expect(ran.out).toMatch(/test by webhook-[0-9a-f]{8}/)
  expect(receiver.posted).toEqual([])
  const json = await on('notifications', 'test', '--dry-run', '--json')
  expect(json).toMatchObject({ code: 2, err: '' })
  expect(JSON.parse(json.out)).toMatchObject({ dry_run: true, plan: { complete: true } })
})

it('of a test alert says at which router it would be fired', async () => {
  const ran = await on('alerts', 'test', '--severity', 'critical', '--dry-run')
  expect(ran, ran.err).toMatchObject({ code: 2, err: 'Nothing was changed.\n' })
  expect(ran.out).toContain('alert PlumblineTest at')
  expect((await on('alerts', 'test')).code).toBe(1)
})

it('of an edit that only saves ends with 2, and of one that is there already with 0', async () => {
  expect(await on('add', 'app.example.com', '10.0.0.5:80', '--no-auth-required')).toMatchObject({ code: 0 })
  const set = (...words: string[]) => on('set', 'app.example.com', ...words, '--dry-run')
  expect((await set('note=x')).code).toBe(2)
  expect((await set('backend_port=80')).code).toBe(0)
})

it('of the end of a session says which, and leaves its browser signed in', async () => {
  const { code } = JSON.parse((await on('console', '--json')).out) as { readonly code: string }
  const { link } = JSON.parse((await on('console', '--json')).out) as { readonly link: string }
  const signed = await fetch(new URL('/api/session', link), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  expect(signed.status).toBe(201)
  const [session] = JSON.parse((await on('console', 'sessions', '--json')).out) as { readonly id: string }[]
  const ran = await on('console', 'end', session!.id, '--dry-run')
  expect(ran, ran.err).toMatchObject({ code: 2, err: 'Nothing was changed.\n' })
  expect(ran.out).toContain('session:')
  expect(await on('console', 'end', session!.id)).toMatchObject({ code: 0 })
  expect((await on('console', 'end', session!.id, '--dry-run')).code).toBe(1)
})
