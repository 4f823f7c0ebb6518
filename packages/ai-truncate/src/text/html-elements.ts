function namesOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Elements that begin and end a passage of text. */
const BLOCKS = namesOf(
  'address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu meta nav noscript ' +
    'ol optgroup option p pre search section select summary table tbody textarea tfoot thead title tr ul ' +
    'xmp',
);
/** Elements inside of a passage. */
const INLINE = namesOf(
  'a abbr acronym applet area audio b base basefont bdi bdo big canvas cite code col colgroup data datalist del dfn em embed ' +
    'font frame frameset i iframe img input ins kbd label link map mark math meter noembed noframes object output param picture progress q rb rp rt rtc ruby s samp ' +
    'script slot small source span strike strong style sub sup svg td template th time track tt u var video wbr',
);

/** Whether a name is an HTML element, or has the form of a custom element name. */
export function isElement(name: string): boolean {
  return BLOCKS.has(name) || INLINE.has(name) || (name.includes('-') && !name.endsWith('-'));
}

/** Whether text before and after the tag belongs to different passages. */
export function isBlockElement(name: string): boolean {
  return BLOCKS.has(name);
}

// The character references by name that pages use. Any other reference does not change.
const NAMED =
  'amp:& lt:< gt:> quot:" apos:\' nbsp:\u00a0 iexcl:¡ cent:¢ pound:£ curren:¤ yen:¥ sect:§ uml:¨ copy:© ordf:ª laquo:« not:¬ reg:® ' +
  'deg:° plusmn:± sup2:² sup3:³ acute:´ micro:µ para:¶ middot:· sup1:¹ ordm:º raquo:» frac14:¼ frac12:½ frac34:¾ iquest:¿ ' +
  'Agrave:À Aacute:Á Acirc:Â Atilde:Ã Auml:Ä Aring:Å AElig:Æ Ccedil:Ç Egrave:È Eacute:É Ecirc:Ê Euml:Ë Igrave:Ì Iacute:Í Icirc:Î ' +
  'Iuml:Ï ETH:Ð Ntilde:Ñ Ograve:Ò Oacute:Ó Ocirc:Ô Otilde:Õ Ouml:Ö times:× Oslash:Ø Ugrave:Ù Uacute:Ú Ucirc:Û Uuml:Ü Yacute:Ý ' +
  'THORN:Þ szlig:ß agrave:à aacute:á acirc:â atilde:ã auml:ä aring:å aelig:æ ccedil:ç egrave:è eacute:é ecirc:ê euml:ë igrave:ì ' +
  'iacute:í icirc:î iuml:ï eth:ð ntilde:ñ ograve:ò oacute:ó ocirc:ô otilde:õ ouml:ö divide:÷ oslash:ø ugrave:ù uacute:ú ucirc:û ' +
  'uuml:ü yacute:ý thorn:þ yuml:ÿ OElig:Œ oelig:œ Scaron:Š scaron:š ndash:– mdash:— lsquo:‘ rsquo:’ sbquo:‚ ldquo:“ rdquo:” ' +
  'bdquo:„ dagger:† bull:• hellip:… permil:‰ prime:′ lsaquo:‹ rsaquo:› euro:€ trade:™ larr:← uarr:↑ rarr:→ darr:↓ harr:↔ ' +
  'minus:− infin:∞ asymp:≈ ne:≠ le:≤ ge:≥ check:✓';
const CHARACTERS: ReadonlyMap<string, string> = new Map(
  NAMED.split(' ').map((each): [string, string] => {
    const at = each.indexOf(':');
    return [each.slice(0, at), each.slice(at + 1)];
  }),
);

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|([A-Za-z]{2,8}\d{0,2}));/g;

/** Replaces references to characters, such as `&amp;` and `&#233;`. */
export function withCharacters(html: string): string {
  if (!html.includes('&')) return html;
  return html.replace(REFERENCE, (written, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return CHARACTERS.get(name) ?? written;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code);
  });
}
