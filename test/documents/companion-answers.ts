/** The answers of companions that the pages of the console read: each has a document of its own. */
export const COMPANION_ANSWERS: Readonly<Record<string, readonly (string | readonly [string, string])[]>> = {
  inventory: [
    'Assets',
    'Conflicts',
    'InfrastructureStatus',
    'NextAddress',
    'NextVmid',
    'Orphans',
    'SuggestedVmids',
  ],
  network: ['RogueCheck'],
  vpn: ['VpnClients', 'VpnDrift', 'VpnPresets', 'VpnSites'],
}
