/** The words in which the condition of a virtual machine or system container is told (Proxmox VE). */
export const GUEST_STATES = ['running', 'stopped', 'paused', 'suspended', 'unknown'] as const
export type GuestState = (typeof GUEST_STATES)[number]

export const GUEST_KINDS = ['qemu', 'lxc'] as const
export type GuestKind = (typeof GUEST_KINDS)[number]
