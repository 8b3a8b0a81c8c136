/** What a controller knows of those who may use a VPN server of its gateways: nothing secret. */
export interface VpnPeer {
  /** As it stands at the server. */
  readonly public_key: string
  readonly name: string
}
