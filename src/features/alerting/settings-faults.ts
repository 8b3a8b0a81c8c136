/** What settings of alerting lack beside what keeps a file from being written. Pure. */
import { Failure, fieldError } from '../../kernel/failure.ts'
import { type AlertingSettings, templatePath } from './rendering.ts'

/** A reload is only asked for where the server can be seen to run what was written. */
export function unprovenReloads({ alerting, external }: AlertingSettings): readonly string[] {
  const servers = [
    ['PROMETHEUS', alerting.rules_file, alerting.prometheus_reload, external.prometheus_url],
    ['ALERTMANAGER', alerting.router_file, alerting.alertmanager_reload, alerting.alertmanager_url],
  ] as const
  return servers.flatMap(([name, file, { way }, url]) =>
    file !== null && url === null && (way === 'command' || way === 'unit')
      ? [
          `PLUMBLINE_${name}_URL is not set, so nobody could see what a reload leads to, and none is asked for.`,
        ]
      : [],
  )
}

/** What the servers cannot report of themselves goes out by mail of ours. */
export function unmailed({ alerting, external, mail }: AlertingSettings): readonly string[] {
  const is_watched = external.prometheus_url !== null || alerting.alertmanager_url !== null
  return is_watched && external.alert_email.length > 0 && mail.provider === 'none'
    ? ['PLUMBLINE_MAIL_PROVIDER is none, so nobody is told by mail that Prometheus or Alertmanager is down.']
    : []
}

/** Throws `bad_configuration` where two of the files are one. */
export function assertApart({
  rules_file,
  router_file,
  template_file,
  watchdog_file,
}: AlertingSettings['alerting']): void {
  const template = router_file === null ? template_file : templatePath({ template_file }, router_file)
  const named = [
    ['PLUMBLINE_ALERT_RULES_FILE', rules_file],
    ['PLUMBLINE_ALERTMANAGER_FILE', router_file],
    ['PLUMBLINE_ALERT_TEMPLATE_FILE', template],
    ['PLUMBLINE_ALERT_WATCHDOG_FILE', watchdog_file],
  ] as const
  for (const [at, [name, path]] of named.entries())
    for (const [other, taken] of named.slice(0, at)) {
      if (path === null || path !== taken) continue
      const msg = `must be another file than ${other}`
      throw new Failure('bad_configuration', `${name} ${msg}.`, {
        errors: [fieldError([name], msg, 'config')],
      })
    }
}
