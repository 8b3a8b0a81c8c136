/** Settings of Docker: which hosts are looked at for containers. */
import { certificateFolders, dockerHosts, showDockerHosts } from './kinds.ts'
import { setting } from '../../../config/setting.ts'

export const docker = {
  hosts: setting({
    name: 'PLUMBLINE_DOCKER_HOSTS',
    example: 'hub=unix:/var/run/docker.sock@192.168.1.10,nas=tcp://192.168.1.9:2375',
    schema: dockerHosts,
    default: '',
    show: showDockerHosts,
    help: 'Docker hosts to look at, comma-separated: `hub=unix:/var/run/docker.sock@192.168.1.10` (the address is where its ports are reached) or `nas=tcp://192.168.1.9:2375`. Only read: prefer a proxy that allows no more than /_ping, /containers/json and /events.',
  }),
  certificates: setting({
    name: 'PLUMBLINE_DOCKER_CERTIFICATES',
    example: 'nas=/etc/plumbline/docker/nas',
    schema: certificateFolders,
    default: '',
    show: (all) => all.map(({ name, folder }) => `${name}=${folder}`).join(','),
    help: 'For Docker hosts over TLS: a folder with ca.pem, cert.pem and key.pem, comma-separated: `nas=/etc/plumbline/docker/nas`. That authority alone is believed.',
  }),
}

declare module '../../../config/sections.ts' {
  interface Sections {
    readonly docker: typeof docker
  }
}
