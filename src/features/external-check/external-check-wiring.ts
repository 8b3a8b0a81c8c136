/** From settings to one run of the external check, which never overlaps another one. */
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { rootCertificates } from 'node:tls'
import { showHostPort } from '../../config/kinds/network.ts'
import type { Settings } from '../../config/sections.ts'
import { systemClock } from '../../kernel/clock.ts'
import { Failure, type FieldError, fieldError } from '../../kernel/failure.ts'
import type { ExternalReport } from '../../model/network/external-check.ts'
import { mailDomain, parseMailAddress } from '../../model/network/mailbox.ts'
import type { Holder } from '../../ports/lock.ts'
import { holdLock } from '../../store/files/lock.ts'
import { mailerModule, type MailerModule } from '../mail/senders/mailer-wiring.ts'
import { keptFiles } from './files/keep.ts'
import { probesOf } from './probes/probes.ts'
import { type OutgoingMail, runCheck } from './run/check.ts'
import { HTTPS_PORT } from './settings.ts'

type Used = Pick<Settings, 'external' | 'mail'>

/** Throws `bad_configuration` for what is not set or cannot be followed. */
export async function externalCheck(settings: Used): Promise<ExternalReport> {
  const { external } = settings
  const { hub, prometheus_url, grafana_url } = external
  const faults = missing(external)
  if (faults.length > 0 || hub === null || prometheus_url === null || grafana_url === null)
    throw wrong(faults)
  const clock = systemClock
  const shown = hub.port === HTTPS_PORT ? hub.host : showHostPort(hub)
  const lock = lockBeside(external.state_path)
  if ('busy' in lock) return unjudged(shown, lock.busy)
  const mailer = mailerModule(settings, clock)
  const { heartbeat_url: url, heartbeat_token: token } = external
  const probes = probesOf({
    clock,
    hub,
    prometheus_url,
    grafana_url,
    control: external.control,
    ca: external.ca_file === null ? null : authoritiesIn(external.ca_file),
    heartbeat: url === null || token === null ? null : { url, token },
  })
  try {
    const report = await runCheck({
      clock,
      hub: shown,
      hub_name: hub.host,
      watcher: hostname(),
      probes,
      kept: keptFiles(external.result_path, external.state_path),
      pause_ms: external.pause_ms,
      mail: outgoingMail(settings, mailer),
    })
    return { ...report, warnings: [...lock.warnings, ...report.warnings] }
  } finally {
    await Promise.all([probes.close(), mailer.close()])
    lock.release()
  }
}

const unjudged = (hub: string, why: string): ExternalReport => ({
  hub,
  result: null,
  probes: null,
  warnings: [why],
  mailed: null,
  is_unsaved: false,
})

interface Lock {
  readonly warnings: readonly string[]
  release(): void
}

/** A disk that takes no lock must not keep the watch from its work. */
function lockBeside(state_path: string): Lock | { readonly busy: string } {
  try {
    const lock = holdLock(`${state_path}.lock`)
    return { warnings: [], release: () => lock.release() }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'data_directory_in_use') {
      const { pid, since } = (error.details.facts ?? {}) as Partial<Holder>
      return {
        busy: `Another run is under way (process ${pid ?? 'unknown'}, since ${since ?? 'just now'}).`,
      }
    }
    return { warnings: [error.message], release: () => undefined }
  }
}

function missing({ hub, prometheus_url, grafana_url, heartbeat_url, heartbeat_token }: Used['external']) {
  const unset = (name: string, msg: string) => fieldError([name], msg, 'config')
  const needed = 'is not set, and the external check needs it'
  return [
    ...(hub === null ? [unset('PLUMBLINE_EXTERNAL_HUB', needed)] : []),
    ...(prometheus_url === null ? [unset('PLUMBLINE_PROMETHEUS_URL', needed)] : []),
    ...(grafana_url === null ? [unset('PLUMBLINE_GRAFANA_URL', needed)] : []),
    ...((heartbeat_url === null) === (heartbeat_token === null)
      ? []
      : [
          unset(
            heartbeat_url === null
              ? 'PLUMBLINE_EXTERNAL_HEARTBEAT_URL'
              : 'PLUMBLINE_EXTERNAL_HEARTBEAT_TOKEN',
            'is not set, and a heartbeat needs both its address and its token',
          ),
        ]),
  ]
}

function outgoingMail({ external, mail }: Used, { mailer, from }: MailerModule): OutgoingMail | null {
  const addresses = external.alert_email
  if (addresses.length === 0) return null
  const errors: FieldError[] = []
  const fault = (msg: string) => errors.push(fieldError(['ALERT_EMAIL'], msg, 'config'))
  if (mailer === null) fault('needs mail: set PLUMBLINE_MAIL_PROVIDER')
  else if (from.length === 0) fault('needs a sender: set PLUMBLINE_MAIL_FROM')
  for (const text of addresses) {
    const parsed = parseMailAddress(text)
    if (!parsed.ok) fault(`"${text}" ${parsed.msg}`)
    else if (mail.recipient_domains.length > 0 && !mail.recipient_domains.includes(mailDomain(parsed.value)))
      fault(`"${text}" is in no domain of PLUMBLINE_MAIL_RECIPIENT_DOMAINS, so nothing could be sent to it`)
  }
  if (errors.length > 0) throw wrong(errors)
  return { mailer: mailer!, from, to: addresses }
}

/** A private one stands beside those that are known. */
function authoritiesIn(path: string): string {
  try {
    return [...rootCertificates, readFileSync(path, 'utf8')].join('\n')
  } catch (cause) {
    throw wrong([
      fieldError(
        ['PLUMBLINE_EXTERNAL_CA_FILE'],
        `${path} cannot be read (${(cause as Error).message})`,
        'config',
      ),
    ])
  }
}

const wrong = (errors: readonly FieldError[]): Failure =>
  new Failure('bad_configuration', errors.map(({ loc, msg }) => `${loc.join('.')} ${msg}.`).join('\n'), {
    errors,
  })
