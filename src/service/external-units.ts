/** The systemd units of the external check: a timer, and the one run that it starts. */
import { dirname, resolve } from 'node:path'
import type { ExternalUnits } from '../cli/verb.ts'
import { describe } from '../config/describe.ts'
import type { LoadedConfig } from '../config/load.ts'
import { Failure } from '../kernel/failure.ts'
import { checkUnits, PROGRAM, refuseOddUser, secretsInTheOpen } from './service.ts'
import { quoted, sectioned, type UnitFile, word } from './unit.ts'

const NAME = 'plumbline-external-check'
const STATE = '/var/lib/plumbline-external'

/** Whose settings the run reads. */
const OWNERS: ReadonlySet<string> = new Set(['external', 'mail'])

/** Throws `bad_configuration` where systemd does not take what was made, or a secret would stand in it. */
export async function externalUnits(config: LoadedConfig, user: string): Promise<ExternalUnits> {
  refuseOddUser('user', user)
  const names = new Set(
    config.declared.filter(({ owner }) => OWNERS.has(owner)).map(({ setting }) => setting.name),
  )
  const lines = describe(config).filter(({ name }) => names.has(name))
  secretsInTheOpen(config, lines)
  const units = [serviceUnit(config, user, lines), timerUnit()]
  const result = await checkUnits(units, units[0]!.name)
  if (result !== null && result.complaints.length > 0)
    throw new Failure('bad_configuration', `systemd does not take this:\n${result.complaints.join('\n')}`)
  return { units, is_checked: result !== null }
}

function serviceUnit(
  { settings, sources, files }: LoadedConfig,
  user: string,
  lines: ReturnType<typeof describe>,
): UnitFile {
  const { node, flags, main, directory } = PROGRAM
  const { result_path, state_path } = settings.external
  const folders = [...new Set([result_path, state_path].map((path) => dirname(resolve(path))))]
  const others = folders.filter((folder) => folder !== STATE)
  const environment = lines.flatMap(({ name, value }) =>
    value === null || value === '[hidden]' || sources[name] !== 'environment' ? [] : [`${name}=${value}`],
  )
  const credentials = lines.flatMap(({ name }) =>
    files[name] === undefined ? [] : [[name, files[name]] as const],
  )
  const text = sectioned([
    [
      'Unit',
      [
        'Description=Plumbline: looks at the hub from outside',
        'Wants=network-online.target',
        'After=network-online.target',
      ],
    ],
    [
      'Service',
      [
        'Type=oneshot',
        `ExecStart=${[node, ...flags, main, 'external-check'].map(word).join(' ')}`,
        '# Down or degraded, and not to be judged: answers, and no faults of the run.',
        'SuccessExitStatus=2 3',
        `WorkingDirectory=${directory.replaceAll('%', '%%')}`,
        `User=${user}`,
        'Environment=NODE_ENV=production',
        ...environment.map((line) => `Environment=${quoted(line)}`),
        ...credentials.map(([name, path]) => `LoadCredential=${name}:${resolve(path).replaceAll('%', '%%')}`),
        '# A run takes a minute at most.',
        'TimeoutStartSec=90',
        'UMask=0022',
        'StateDirectory=plumbline-external',
        'StateDirectoryMode=0755',
        ...others.map((folder) => `ReadWritePaths=-${word(folder)}`),
        '# For ping, which gains no rights of its own here.',
        'AmbientCapabilities=CAP_NET_RAW',
        'CapabilityBoundingSet=CAP_NET_RAW',
        'NoNewPrivileges=yes',
        'ProtectSystem=strict',
        'ProtectHome=read-only',
        'PrivateTmp=yes',
        'PrivateDevices=yes',
        'ProtectClock=yes',
        'ProtectControlGroups=yes',
        'ProtectKernelLogs=yes',
        'ProtectKernelModules=yes',
        'ProtectKernelTunables=yes',
        'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK',
        'RestrictNamespaces=yes',
        'RestrictSUIDSGID=yes',
        'LockPersonality=yes',
        'SystemCallArchitectures=native',
        'LimitCORE=0',
        'MemoryMax=512M',
      ],
    ],
  ])
  return { name: `${NAME}.service`, text }
}

/** Counted from run to run, so that a clock that is set neither skips one nor makes many. */
const timerUnit = (): UnitFile => ({
  name: `${NAME}.timer`,
  text: sectioned([
    ['Unit', ['Description=Plumbline: looks at the hub from outside every 5 minutes']],
    ['Timer', ['OnBootSec=1min', 'OnUnitActiveSec=5min', 'AccuracySec=10s', `Unit=${NAME}.service`]],
    ['Install', ['WantedBy=timers.target']],
  ]),
})
