/**
 * The systemd units of the daemon as text (systemd.service(5), systemd.exec(5)): what it may write is named path by path,
 * and everything that it does not need is closed. Pure.
 */

export interface ServiceFacts {
  /** The interpreter and its flags, and the program: absolute paths. */
  readonly command: readonly string[]
  /** Where the program lies. */
  readonly directory: string
  readonly user: string
  readonly data_dir: string
  /** Folders beside the data directory in which it writes. */
  readonly writes_in: readonly string[]
  /** Settings that are no secrets, as they would be typed. */
  readonly environment: readonly (readonly [name: string, value: string])[]
  /** Files with secrets, by the setting's name. Only root need be able to read them. */
  readonly credentials: readonly (readonly [name: string, path: string])[]
  /** Who is restarted when one of the files changes; null: nobody by us. */
  readonly sso_restart: { readonly watched: readonly string[]; readonly unit: string } | null
}

export interface UnitFile {
  readonly name: string
  readonly text: string
}

export const SERVICE = 'plumbline.service'
const RESTART = 'plumbline-sso-restart'
const STATE = '/var/lib/'
/** Below these, `ProtectHome=yes` hides everything. */
const HOMES = /^\/(?:home|root|run\/user)(?:\/|$)/
/** The reconcile loop says so three times within it. */
const WATCHDOG_S = 30

export function unitFiles(facts: ServiceFacts): readonly UnitFile[] {
  const { sso_restart } = facts
  const service = { name: SERVICE, text: serviceText(facts) }
  if (sso_restart === null) return [service]
  return [
    service,
    { name: `${RESTART}.path`, text: pathText(sso_restart.watched) },
    { name: `${RESTART}.service`, text: restartText(sso_restart.unit) },
  ]
}

function serviceText(facts: ServiceFacts): string {
  const { command, directory, user, data_dir, environment, credentials } = facts
  const sections: readonly (readonly [string, readonly string[]])[] = [
    [
      'Unit',
      [
        'Description=Plumbline: keeps routes, DNS, certificates and sign-in rules true to its database',
        'Wants=network-online.target',
        'After=network-online.target',
        'StartLimitIntervalSec=300',
        'StartLimitBurst=6',
      ],
    ],
    [
      'Service',
      [
        'Type=notify',
        '# What tells of readiness is a child of the daemon.',
        'NotifyAccess=all',
        `WatchdogSec=${WATCHDOG_S}`,
        `ExecStart=${command.map(word).join(' ')}`,
        `WorkingDirectory=${directory.replaceAll('%', '%%')}`,
        `User=${user}`,
        `Environment=${quoted(`PLUMBLINE_DATA_DIR=${data_dir}`)}`,
        'Environment=NODE_ENV=production',
        ...environment.map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
        ...credentials.map(([name, path]) => `LoadCredential=${name}:${path.replaceAll('%', '%%')}`),
        'Restart=on-failure',
        'RestartSec=2',
        '# Without the remedy by a person these come again: a bad setting, a damaged database, one that is newer.',
        'RestartPreventExitStatus=65 66 70 78',
        'TimeoutStartSec=120',
        'TimeoutStopSec=15',
        'KillMode=mixed',
        '',
        ...writable(facts),
        ...closed(facts),
      ],
    ],
    ['Install', ['WantedBy=multi-user.target']],
  ]
  return sectioned(sections)
}

export const sectioned = (sections: readonly (readonly [string, readonly string[]])[]): string =>
  sections.map(([name, lines]) => [`[${name}]`, ...lines, ''].join('\n')).join('\n')

function writable({ data_dir, writes_in }: ServiceFacts): readonly string[] {
  const name = data_dir.startsWith(STATE) ? data_dir.slice(STATE.length) : null
  const state = name === null ? [] : [`StateDirectory=${word(name)}`, 'StateDirectoryMode=0700']
  const paths = name === null ? [data_dir, ...writes_in] : writes_in
  return [
    'UMask=0077',
    ...state,
    // A folder that is not there yet must not keep the daemon from telling so itself.
    ...paths.map((path) => `ReadWritePaths=-${word(path)}`),
  ]
}

function closed(facts: ServiceFacts): readonly string[] {
  const { data_dir, writes_in, command, directory } = facts
  const in_home = [data_dir, directory, ...writes_in, ...command].some((path) => HOMES.test(path))
  return [
    'ProtectSystem=strict',
    `ProtectHome=${in_home ? 'read-only' : 'yes'}`,
    'NoNewPrivileges=yes',
    'CapabilityBoundingSet=',
    'AmbientCapabilities=',
    'PrivateTmp=yes',
    'PrivateDevices=yes',
    'PrivateUsers=yes',
    'PrivateMounts=yes',
    'ProtectProc=invisible',
    'ProcSubset=pid',
    'ProtectClock=yes',
    'ProtectHostname=yes',
    'ProtectKernelLogs=yes',
    'ProtectKernelModules=yes',
    'ProtectKernelTunables=yes',
    'ProtectControlGroups=yes',
    'RestrictNamespaces=yes',
    'RestrictRealtime=yes',
    'RestrictSUIDSGID=yes',
    'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK',
    'LockPersonality=yes',
    'RemoveIPC=yes',
    'SystemCallArchitectures=native',
    'SystemCallFilter=@system-service',
    'SystemCallFilter=~@privileged @resources',
    'SystemCallErrorNumber=EPERM',
    'LimitCORE=0',
    'LimitNOFILE=8192',
    'MemoryMax=512M',
    'TasksMax=64',
  ]
}

const pathText = (watched: readonly string[]): string =>
  sectioned([
    ['Unit', ['Description=What Plumbline wrote for the SSO provider has changed']],
    [
      'Path',
      [...watched.map((path) => `PathChanged=${path.replaceAll('%', '%%')}`), `Unit=${RESTART}.service`],
    ],
    ['Install', ['WantedBy=multi-user.target']],
  ])

const restartText = (unit: string): string =>
  sectioned([
    ['Unit', ['Description=Restart the SSO provider, so that it reads what Plumbline wrote']],
    ['Service', ['Type=oneshot', `ExecStart=/usr/bin/systemctl restart ${word(unit)}`]],
  ])

/** A word of a command line or of a list of paths. */
export const word = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? percent(text) : quoted(text))

export const quoted = (text: string): string =>
  `"${percent(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** `%` begins a specifier. */
const percent = (text: string): string => text.replaceAll('%', '%%')
