/** Settings of alerting: which files are written, what the series are called, who is told, and how mail is sent. */
import { oneOf, path } from '../../config/kinds/basic.ts'
import { listOf, wrong } from '../../config/kinds/refine.ts'
import { optional, setting } from '../../config/setting.ts'
import { httpUrl } from '../../config/kinds/network.ts'
import { recipients } from '../mail/settings.ts'
import { JOB_ROLES, type JobRole } from './model/rule.ts'
import { reloadWay, showReload } from './setting-kinds.ts'

interface NamedJob {
  readonly role: JobRole
  readonly job: string
}

const ROLES = JOB_ROLES.join(', ')

function parseJob(text: string) {
  const [, name, job] = /^([a-z]+)=([A-Za-z0-9_./:-]{1,64})$/.exec(text) ?? []
  const role = JOB_ROLES.find((one) => one === name)
  return role === undefined || job === undefined
    ? wrong(`must be role=job with one of the roles ${ROLES}`)
    : { role, job }
}

const isOnce = (jobs: readonly NamedJob[]): boolean =>
  new Set(jobs.map(({ role }) => role)).size === jobs.length

const parseMount = (text: string) =>
  /^\/[A-Za-z0-9_./-]{0,254}\*?$/.test(text)
    ? text
    : wrong('must be a mount point such as /prometheus; a * at its end stands for anything')

export const alerting = {
  rules_file: optional({
    name: 'PLUMBLINE_ALERT_RULES_FILE',
    example: '/etc/prometheus/rules/plumbline.yml',
    schema: path,
    help: 'The file with the alert rules that is written for Prometheus, whose rule_files must name it. The whole file is ours.',
  }),
  router_file: optional({
    name: 'PLUMBLINE_ALERTMANAGER_FILE',
    example: '/etc/prometheus/alertmanager.yml',
    schema: path,
    help: 'The configuration that is written for Alertmanager: who is told by mail, and when. The whole file is ours. Needs PLUMBLINE_SMTP_SERVER and PLUMBLINE_MAIL_FROM.',
  }),
  template_file: optional({
    name: 'PLUMBLINE_ALERT_TEMPLATE_FILE',
    example: '/etc/prometheus/alertmanager_templates/plumbline.tmpl',
    schema: path,
    help: 'The template of alert mails, which that configuration names by its way from there. Unset: plumbline.tmpl beside it.',
  }),
  watchdog_file: optional({
    name: 'PLUMBLINE_ALERT_WATCHDOG_FILE',
    example: '/etc/prometheus/rules/plumbline-watchdog.yml',
    schema: path,
    help: 'The file with one alert more, which always fires and calls a heartbeat: where it falls silent, the way of alerts is broken. rule_files of Prometheus must name it. Needs PLUMBLINE_ALERT_WATCHDOG_URL and PLUMBLINE_ALERT_WATCHDOG_TOKEN_FILE.',
  }),
  watchdog_url: optional({
    name: 'PLUMBLINE_ALERT_WATCHDOG_URL',
    example: 'http://plumbline.lan:8080/api/heartbeats/watchdog',
    schema: httpUrl,
    help: 'The heartbeat that it calls every five to six minutes, as Alertmanager reaches it (plumbline heartbeats add watchdog).',
  }),
  watchdog_token_file: optional({
    name: 'PLUMBLINE_ALERT_WATCHDOG_TOKEN_FILE',
    example: '/etc/prometheus/watchdog-token',
    schema: path,
    help: 'The file with the token of that heartbeat, as Alertmanager sees it: the token itself is in no file of ours.',
  }),
  alertmanager_url: optional({
    name: 'PLUMBLINE_ALERTMANAGER_URL',
    example: 'http://127.0.0.1:9093',
    schema: httpUrl,
    help: 'Where Alertmanager is reached: it is asked which configuration it runs, and whether its mails go out.',
  }),
  prometheus_reload: setting({
    name: 'PLUMBLINE_PROMETHEUS_RELOAD',
    example: 'unit:prometheus',
    schema: reloadWay,
    default: 'url',
    show: showReload,
    help: 'How Prometheus is made to read its rules again: url (POST /-/reload, which it takes with --web.enable-lifecycle), command:PROGRAM ARGUMENTS, unit:UNIT (systemctl reload) or none. Needs PLUMBLINE_PROMETHEUS_URL, where it shows what it runs.',
  }),
  alertmanager_reload: setting({
    name: 'PLUMBLINE_ALERTMANAGER_RELOAD',
    example: 'unit:prometheus-alertmanager',
    schema: reloadWay,
    default: 'url',
    show: showReload,
    help: 'How Alertmanager is made to read its configuration again: as PLUMBLINE_PROMETHEUS_RELOAD. Needs PLUMBLINE_ALERTMANAGER_URL.',
  }),
  jobs: setting({
    name: 'PLUMBLINE_ALERT_JOBS',
    example: 'traefik=proxy,grafana=dashboards',
    schema: listOf(parseJob).refine(isOnce, { error: 'must name each role once' }),
    default: '',
    show: (jobs) => jobs.map(({ role, job }) => `${role}=${job}`).join(','),
    help: `What jobs are called in the scrape configuration, where it is not by their role (${ROLES}): role=job, comma-separated.`,
  }),
  mounts: setting({
    name: 'PLUMBLINE_ALERT_MOUNTS',
    example: '/,/srv/metrics',
    schema: listOf(parseMount).refine((list) => list.length > 0, { error: 'must have at least one entry' }),
    default: '/,/prometheus,/var/lib/prometheus*',
    show: (list) => list.join(','),
    help: 'Mount points of the metrics server that must not fill up, comma-separated. A * at the end of one stands for anything.',
  }),
  secondary: setting({
    name: 'ALERT_EMAIL_SECONDARY',
    example: 'night@example.com',
    ...recipients,
    help: 'Who is told of an alert after five minutes, unless somebody has acknowledged it or it is over by then.',
  }),
  secondary_severity: setting({
    name: 'PLUMBLINE_ALERT_SECONDARY',
    example: 'critical',
    schema: oneOf(['all', 'critical']),
    default: 'all',
    help: 'Of which alerts ALERT_EMAIL_SECONDARY is told: all, or critical ones alone.',
  }),
  critical_only: setting({
    name: 'ALERT_EMAIL_CRITICAL_ONLY',
    example: 'pager@example.com',
    ...recipients,
    help: 'Who is told of critical alerts alone, at once.',
  }),
  smtp_password_file: optional({
    name: 'PLUMBLINE_ALERT_SMTP_PASSWORD_FILE',
    example: '/etc/prometheus/smtp-password',
    schema: path,
    help: 'The file with the password of PLUMBLINE_SMTP_USER, as Alertmanager sees it: the password itself is in no file of ours.',
  }),
  smtp_ca_file: optional({
    name: 'PLUMBLINE_ALERT_SMTP_CA_FILE',
    example: '/etc/prometheus/mail-ca.pem',
    schema: path,
    help: 'PEM file of the authority of the mail server, where it is a private one, as Alertmanager sees it. Unset: PLUMBLINE_SMTP_CA_FILE.',
  }),
}

declare module '../../config/sections.ts' {
  interface Sections {
    readonly alerting: typeof alerting
  }
}
