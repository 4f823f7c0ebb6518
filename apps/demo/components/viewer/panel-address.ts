import { formatLineAddress, type LineAddress, parseLineAddress } from '../line-address';

/** Which output stands beside the chat, and where in it. */
export interface PanelAddress {
  name: string;
  lines: LineAddress | undefined;
}

/** Reads `#output/<name>` and `#output/<name>/L120-L140`: in the hash it survives a reload, and Back closes it. */
export function parsePanelAddress(hash: string): PanelAddress | undefined {
  const [, name, lines] = /^#output\/([\w.-]{1,160})(?:\/(L.*))?$/.exec(hash) ?? [];
  return name === undefined ? undefined : { name, lines: parseLineAddress(lines ?? '') };
}

/** The hash of an output beside the chat. */
export function formatPanelAddress({ name, lines }: PanelAddress): string {
  return `#output/${name}${lines ? `/${formatLineAddress(lines).slice(1)}` : ''}`;
}

/** The address that a link to the page of an output becomes beside the chat; undefined for every other link. */
export function panelAddressOf(href: string | null): PanelAddress | undefined {
  const [, name, hash] = /^\/a\/([\w.-]{1,160})(?:\?[^#]*)?(#.*)?$/.exec(href ?? '') ?? [];
  return name === undefined ? undefined : { name, lines: parseLineAddress(hash ?? '') };
}
