/** Options for tests. */
import type { KeyOptions, Permissions } from '../../../src/model/ssh/options.ts'

export const NOTHING: Permissions = {
  pty: false,
  port_forwarding: false,
  agent_forwarding: false,
  x11_forwarding: false,
  user_rc: false,
}

export const NO_OPTIONS: KeyOptions = {
  ...NOTHING,
  from: [],
  command: null,
  permit_open: [],
  permit_listen: [],
  expires_at: null,
  verify_required: false,
  no_touch_required: false,
}
