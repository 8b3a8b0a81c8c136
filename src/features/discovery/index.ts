/** The door of discovery: what runs in the network. */
import type { Manifest } from '../../core/manifest.ts'
import { docker } from './settings/docker.ts'
import { proxmox } from './settings/proxmox.ts'
import { unifi } from './settings/unifi.ts'

export const DISCOVERY = {
  name: 'discovery',
  settings: { docker, proxmox, unifi },
  settings_after: { docker: 'notify' },
} satisfies Manifest
