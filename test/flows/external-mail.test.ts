/** Who is mailed of an outage, and when: a real mail server, real runs, one mail a loss and one a recovery. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type SmtpSink, smtpSink } from '../fakes/mail/smtp-sink.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { freePort } from '../kit/ports.ts'
import { makeTlsFiles } from '../peers/tls-files.ts'
import { run, start } from './command.ts'
import { externalWorld, type ExternalWorld } from './external-world.ts'
import { newFolder } from '../kit/new-folder.ts'

interface MailWorld extends ExternalWorld {
  readonly sink: SmtpSink
  readonly subjects: () => readonly (string | undefined)[]
  readonly texts: () => readonly string[]
}

async function mailWorld(): Promise<MailWorld> {
  const world = await externalWorld()
  const sink = await smtpSink()
  Object.assign(world.env, {
    PLUMBLINE_MAIL_PROVIDER: 'smtp',
    PLUMBLINE_MAIL_FROM: 'watch@example.com',
    PLUMBLINE_SMTP_SERVER: `127.0.0.1:${sink.port}`,
    PLUMBLINE_SMTP_TLS: 'none',
    ALERT_EMAIL: 'ops@example.net',
  })
  return {
    ...world,
    sink,
    subjects: () => sink.mails.map(({ email }) => email.subject),
    texts: () => sink.mails.map(({ email }) => email.text ?? ''),
    async [Symbol.asyncDispose]() {
      await sink.close()
      await world[Symbol.asyncDispose]()
    },
  }
}

const LOSS = /^\[FIRING\] localhost:\d+ is unreachable$/
const RECOVERY = /^\[RESOLVED\] localhost:\d+ is reachable again$/

it('up, down, down, degraded, up: exactly two mails, with since and until', async () => {
  await using world = await mailWorld()
  await world.run()
  await world.failing('ping', 'https')
  expect((await world.run()).code).toBe(2)
  expect((await world.run()).code).toBe(2)
  await world.failing('grafana')
  expect((await world.run()).code).toBe(2)
  await world.failing()
  expect((await world.run()).code).toBe(0)
  expect(world.subjects()).toEqual([expect.stringMatching(LOSS), expect.stringMatching(RECOVERY)])
  expect(world.sink.mails[0]).toMatchObject({ from: 'watch@example.com', to: ['ops@example.net'] })
  const [loss, recovery] = world.texts()
  const [, since] = /Unreachable since (\S+)\. It answered last at \S+\./.exec(loss!)!
  expect(recovery).toMatch(new RegExp(`Unreachable since ${since!.replaceAll('.', '\\.')} until \\S+Z`))
  expect(recovery).toContain('- grafana: failed')
})

itInDepth('a mail server that is dead meanwhile: one mail tells of both', async () => {
  await using world = await mailWorld()
  await world.run()
  const server = world.env['PLUMBLINE_SMTP_SERVER']!
  world.env['PLUMBLINE_SMTP_SERVER'] = `127.0.0.1:${await freePort()}`
  await world.failing('ping', 'https')
  const lost = await world.run()
  expect(lost).toMatchObject({
    code: 2,
    err: expect.stringContaining('tried again by the next run') as unknown,
  })
  await world.failing()
  expect((await world.run()).code).toBe(0)
  world.env['PLUMBLINE_SMTP_SERVER'] = server
  expect((await world.run()).code).toBe(0)
  await world.run()
  expect(world.subjects()).toEqual([expect.stringContaining('was unreachable, and is reachable again')])
  expect(world.texts()[0]).toMatch(/Unreachable since \S+Z until \S+Z/)
})

itInDepth('a loss that could not be mailed is mailed by the next run that can', async () => {
  await using world = await mailWorld()
  await world.failing('ping', 'https')
  world.sink.misbehave({ reply: 451, at: 'data' })
  await world.run()
  world.sink.misbehave({ reply: 550, at: 'to' })
  await world.run()
  expect(world.sink.mails).toEqual([])
  world.sink.misbehave(null)
  await world.run()
  await world.run()
  expect(world.subjects()).toEqual([expect.stringMatching(LOSS)])
})

itInDepth('of a mail that may have gone out, one more is sent, under the same id, and no third', async () => {
  await using world = await mailWorld()
  await world.failing('ping', 'https')
  world.sink.misbehave('forget')
  for (let i = 0; i < 3; i++) await world.run()
  expect(world.sink.mails.map(({ email }) => email.messageId)).toEqual(
    Array.from({ length: 2 }, () => world.sink.mails[0]!.email.messageId),
  )
})

itInDepth('a disk that keeps nothing: people are mailed all the same', async () => {
  await using world = await mailWorld()
  world.env['PLUMBLINE_EXTERNAL_STATE'] = '/dev/null/state.json'
  await world.failing('ping', 'https')
  const ran = await world.run()
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('/dev/null') as unknown })
  expect(world.subjects()).toEqual([expect.stringMatching(LOSS)])
})

itInDepth('with the pauses that are set by default, a run that finds nothing ends, and mails', async () => {
  await using world = await mailWorld()
  delete world.env['PLUMBLINE_EXTERNAL_PAUSE']
  await world.failing('dns', 'ping', 'https', 'prometheus', 'grafana')
  expect((await world.run()).code).toBe(2)
  expect(world.result()).toMatchObject({ status: 'down', connectivity_score: 0 })
  expect(world.sink.mails).toHaveLength(1)
})

itInDepth('a run that is killed while it mails leaves the mail to the next one', async () => {
  await using world = await mailWorld()
  await world.failing('ping', 'https')
  const begun = Promise.withResolvers<void>()
  world.sink.onMail(async () => {
    begun.resolve()
    await new Promise((resolve) => setTimeout(resolve, 3000))
  })
  const killed = world.begin()
  await begun.promise
  await killed.stop('SIGKILL')
  world.sink.onMail(async () => undefined)
  await world.run()
  await world.run()
  const ids = world.sink.mails.map(({ email }) => email.messageId)
  expect(ids.length).toBeGreaterThan(0)
  expect(new Set(ids).size, 'a double is known by its id').toBe(1)
})

itInDepth('a dead line of our own mails nobody, and ends no outage', async () => {
  await using world = await mailWorld()
  await world.run()
  const control = world.env['PLUMBLINE_EXTERNAL_CONTROL']!
  world.env['PLUMBLINE_EXTERNAL_CONTROL'] = `127.0.0.1:${await freePort()}`
  await world.failing('dns', 'ping', 'https', 'prometheus', 'grafana')
  expect((await world.run()).code).toBe(3)
  await world.failing()
  expect((await world.run()).code).toBe(3)
  world.env['PLUMBLINE_EXTERNAL_CONTROL'] = control
  expect((await world.run()).code).toBe(0)
  expect(world.sink.mails).toEqual([])
})

itInDepth('a mail server without STARTTLS gets nothing, one with it does', async () => {
  await using world = await mailWorld()
  await world.failing('ping', 'https')
  world.env['PLUMBLINE_SMTP_TLS'] = 'starttls'
  const ran = await world.run()
  expect(ran.err).toContain('was not sent')
  expect(world.sink.mails).toEqual([])
  const { ca_file, cert_file, key_file } = await makeTlsFiles(world.folder)
  const sink = await smtpSink({
    cert: readFileSync(cert_file),
    key: readFileSync(key_file),
    disabledCommands: ['AUTH'],
  })
  world.env['PLUMBLINE_SMTP_SERVER'] = `localhost:${sink.port}`
  world.env['PLUMBLINE_SMTP_CA_FILE'] = ca_file
  const sent = await world.run()
  expect(sink.mails, sent.err).toHaveLength(1)
  await sink.close()
})

itInDepth(
  'the daemon hears of each run that could judge, and misses it when there is none',
  async () => {
    await using world = await externalWorld()
    const directory = newFolder('heard')
    const env = {
      PLUMBLINE_DATA_DIR: directory,
      PLUMBLINE_LISTEN: `127.0.0.1:${await freePort()}`,
      PLUMBLINE_HEARTBEAT_SILENT_AFTER: '20s',
      PLUMBLINE_DNS_PROVIDER: 'none',
    }
    const daemon = start(['serve'], env)
    try {
      await daemon.saw('listening')
      const state = async () => {
        const { out } = await run(['heartbeats', '--json'], env)
        return (JSON.parse(out) as { state: string }[])[0]?.state
      }
      const open = async () => {
        const { out } = await run(['notifications', '--json'], env)
        return (JSON.parse(out) as { open: { kind: string }[] }).open.map(({ kind }) => kind)
      }
      const added = await run(['heartbeats', 'add', 'external'], env)
      for (const line of added.out.split('\n').filter((one) => one.startsWith('PLUMBLINE_'))) {
        const [name, value] = line.split('=') as [string, string]
        world.env[name] = value.replace(/^http:\/\/[^/]+/, `http://${env.PLUMBLINE_LISTEN}`)
      }
      const heard = await world.run()
      expect(heard, heard.err).toMatchObject({ code: 0, err: '' })
      expect(await state()).toBe('alive')
      await expect.poll(state, { timeout: 90_000 }).toBe('silent')
      await expect.poll(open, { timeout: 60_000 }).toContain('heartbeat_silent')
      world.env['PLUMBLINE_EXTERNAL_CONTROL'] = `127.0.0.1:${await freePort()}`
      await world.run()
      expect(await state(), 'a run that could not judge').toBe('silent')
      delete world.env['PLUMBLINE_EXTERNAL_CONTROL']
      await world.failing('ping', 'https')
      expect((await world.run()).code).toBe(2)
      expect(await state()).toBe('alive')
      await expect.poll(open, { timeout: 60_000 }).not.toContain('heartbeat_silent')
      world.env['PLUMBLINE_EXTERNAL_HEARTBEAT_TOKEN'] = 'another-token-than-the-right-one'
      expect((await world.run()).err).toContain('The heartbeat was answered with 401')
    } finally {
      await daemon.stop()
    }
  },
  300_000,
)
