/** The answers of companions that the pages of the console read: each has a document of its own. */
export const COMPANION_ANSWERS: Readonly<Record<string, readonly (string | readonly [string, string])[]>> = {
  inventory: [
    'Assets',
    'CheckedVmid',
    'DecodedVmid',
    'UsedAddresses',
    'ValidatedAddress',
    'ValidatedVmid',
    'Conflicts',
    'InfrastructureStatus',
    'NextAddress',
    'NextVmid',
    'Orphans',
    'SuggestedVmids',
  ],
  network: [
    'Clients',
    'Devices',
    'FirewallGroups',
    'FirewallRules',
    'Networks',
    'PortForwards',
    'RogueCheck',
    'SyncedNames',
    'Wlans',
  ],
  vpn: ['VpnClients', 'VpnDrift', 'VpnPresets', 'VpnSites', 'VpnSync'],
}
