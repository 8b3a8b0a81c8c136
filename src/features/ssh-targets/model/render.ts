/** What the gateway reads: the configuration of ssh, and the host keys beside it. Pure. */
import { type WorldStamp, stampText } from '../../../model/world-stamp.ts'
import type { ProxyHost } from '../records.ts'

const HEADER = '# Written by Plumbline, which undoes edits. To change it: plumbline ssh-targets.'

/** Whether a text is one that we wrote, as far as its first line says. */
export const isOurs = (text: string): boolean => text.startsWith(HEADER)

/** @param stamp how far the world is with it; the text is the same without */
export const headed = (body: string, stamp: WorldStamp | null): string =>
  `${HEADER}${stamp === null ? '' : ` ${stampText(stamp)}`}\n${body}`

const STAMPED = /^(# Written by Plumbline[^\n]*?) installation=[^ \n]* change=[^ \n]*(?=\n)/

export const withoutStamp = (text: string): string => text.replace(STAMPED, '$1')

/**
 * A `Host` block for each, in the order of the names. Nothing in it runs anything or reads anything else: no `ProxyCommand`,
 * `LocalCommand`, `Include`, `Match`. @param known_hosts where the keys stand
 */
export const sshConfig = (hosts: readonly ProxyHost[], known_hosts: string | null): string =>
  hosts
    .map(({ name, address, port, user }) =>
      [
        `Host ${name}`,
        `  HostName ${address}`,
        `  Port ${port}`,
        `  User ${user}`,
        `  HostKeyAlias ${name}`,
        '  StrictHostKeyChecking yes',
        ...(known_hosts === null ? [] : [`  UserKnownHostsFile "${known_hosts}"`]),
        '',
      ].join('\n'),
    )
    .join('\n')

/** A line for each whose key is known, by the alias that the configuration gives. */
export const knownHosts = (hosts: readonly ProxyHost[]): string =>
  hosts.flatMap(({ name, host_key }) => (host_key === null ? [] : [`${name} ${host_key}\n`])).join('')

/** One target in a line, for plans. */
export const hostText = ({ address, port, user, host_key }: ProxyHost): string =>
  `${user}@${address}:${port} ${host_key ?? 'without a host key'}`
