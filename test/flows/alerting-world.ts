/** A house that keeps the files of alerting, real servers that read them, and a mail server that takes alerts by STARTTLS. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type SmtpSink, smtpSink } from '../fakes/mail/smtp-sink.ts'
import { freePorts } from '../kit/ports.ts'
import { type Alertmanager, startAlertmanager } from '../peers/alertmanager.ts'
import { makeTlsFiles } from '../peers/tls-files.ts'
import { openTestHouse, type TestHouse, type TestHouseOptions } from './test-house.ts'

export const WITHIN = { timeout: 90_000, interval: 100 }

interface Part {
  readonly name: string
  readonly ok: boolean
  readonly cause: string | null
  readonly message: string
}

export interface AlertingWorld {
  readonly paths: Readonly<Record<'rules' | 'router' | 'template', string>>
  readonly sink: SmtpSink
  /** Where Alertmanager listens whenever it runs. */
  readonly router_url: string
  open(over?: Readonly<Record<string, string>>, options?: TestHouseOptions): Promise<TestHouse>
  /** Resolves when the files stand and Alertmanager has read them. */
  startRouter(): Promise<Alertmanager>
  close(): Promise<void>
}

export async function alertingWorld(): Promise<AlertingWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-alerting-'))
  const tls = await makeTlsFiles(folder)
  const sink = await smtpSink({
    cert: readFileSync(tls.cert_file),
    key: readFileSync(tls.key_file),
    disabledCommands: ['AUTH'],
  })
  const [port = 0] = await freePorts(1)
  const router_url = `http://127.0.0.1:${port}`
  const paths = {
    rules: join(folder, 'rules.yml'),
    router: join(folder, 'am', 'alertmanager.yml'),
    template: join(folder, 'am', 'plumbline.tmpl'),
  }
  const opened: TestHouse[] = []
  const routers: Alertmanager[] = []
  return {
    paths,
    sink,
    router_url,
    async open(over = {}, options = {}) {
      const env = {
        PLUMBLINE_ALERT_RULES_FILE: paths.rules,
        PLUMBLINE_ALERTMANAGER_FILE: paths.router,
        PLUMBLINE_ALERTMANAGER_URL: router_url,
        PLUMBLINE_SMTP_SERVER: `127.0.0.1:${sink.port}`,
        PLUMBLINE_SMTP_CA_FILE: tls.ca_file,
        PLUMBLINE_MAIL_FROM: 'alerts@example.org',
        ALERT_EMAIL: 'ops@example.org',
        ...over,
      }
      const at = await openTestHouse({ ...options, env })
      opened.push(at)
      return at
    },
    async startRouter() {
      await expect
        .poll(() => [paths.router, paths.template].map((path) => existsSync(path)), WITHIN)
        .toEqual([true, true])
      const router = await startAlertmanager(paths.router, port)
      routers.push(router)
      return router
    },
    async close() {
      for (const one of opened) await one[Symbol.asyncDispose]()
      for (const one of routers) await one.stop()
      await sink.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** One part of the status page, as somebody sees it who asks now. */
export async function partOf(at: TestHouse, name: string): Promise<Part | undefined> {
  const { body } = await at.call('GET', '/api/control-plane/health?probe=true')
  return (body as unknown as { readonly components: readonly Part[] }).components.find(
    (one) => one.name === name,
  )
}
