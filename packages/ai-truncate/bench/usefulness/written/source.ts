import type { WrittenFacts } from './written-facts.ts';

export const sourceFacts: WrittenFacts = {
  'Ping.pm': [
    [
      'What does ack() return if the connection is not established?',
      'connection will not be established and ack() will return',
    ],
    ['How is ECONNREFUSED treated?', '# ECONNREFUSED means no good', 'ECONNREFUSED'],
    [
      'With which message does it die when a socket gives an empty response?',
      'die "Empty response from status socket?"',
    ],
    ['What does gethostbyname receive?', '$ret = gethostbyname($h{host})', 'gethostbyname'],
    ['What happens after a socket is no good?', '# No good, try the next socket'],
    ['How long should one wait between one ping and another?', 'small wait (e.g. 25ms or more) between each ping'],
    ['Which message complains about a corrupted SYN entry?', 'croak("Corrupted SYN entry for'],
    ['Which global is behind the default factor?', 'matches the $def_factor global'],
    ['How do I get rid of O_NONBLOCK?', 'Sets or clears the O_NONBLOCK flag', 'O_NONBLOCK'],
    ['Must a gateway have an IPv6 address?', 'gateway address needs to be IPv6'],
  ],
  'bootstrap.css': [
    ['Is flex-xxl-wrap-reverse a class?', '.flex-xxl-wrap-reverse {', 'flex-xxl-wrap-reverse'],
    ['Which colour has the border of an outlined warning button on hover?', '--bs-btn-hover-border-color: #ffc107'],
    ['Is there a rule for a nav scroll in an expanded xxl navbar?', '.navbar-expand-xxl .navbar-nav-scroll {'],
    ['How do I align text at the top?', 'vertical-align: text-top !important'],
    [
      'What is said about the carousel and its prev icon in the dark theme?',
      '[data-bs-theme=dark] .carousel .carousel-control-prev-icon',
    ],
    ['What comes on top of 0.375rem?', 'padding-bottom: calc(0.375rem + var(--bs-border-width))', '0.375rem'],
    ['How large is the xxl border radius?', '--bs-border-radius-xxl: 2rem'],
    ['Which colour do disabled parts of the pagination get?', 'color: var(--bs-pagination-disabled-color)'],
    ['Can I write align-content-sm-around?', '.align-content-sm-around {', 'align-content-sm-around'],
  ],
  'command.js': [
    ['Which event is emitted for settings of the environment?', 'this.emit(`optionEnv:${option.name()}`)', 'emit'],
    ['What if argv is undefined?', 'if (argv === undefined) {'],
    ['Which code does the error of an unknown option have?', "code: 'commander.unknownOption'"],
    ['What can I override to create a custom option?', 'You can override createOption to return a custom option'],
    ['How do I create a command that is attached to nothing?', 'Factory routine to create a new unattached command'],
    ['What does declaredArg begin with?', 'let value = declaredArg.defaultValue', 'declaredArg'],
    ['Who reacts to helpEvent?', 'this.on(helpEvent, (context)', 'helpEvent'],
    [
      'What happens with the value of a recognised option?',
      'call listener to assign value with possible custom processing',
    ],
    [
      'What should I remove if a subcommand is not meant to be executable?',
      'is not meant to be an executable command, remove description parameter',
    ],
    ['What is given to getOptionValueSource?', 'source = cmd.getOptionValueSource(key)', 'getOptionValueSource'],
  ],
  'lib.es5.d.ts': [
    ['What can I pass to the maker of an Int8Array?', 'of(...items: number[]): Int8Array;', 'Int8Array'],
    ['Can I leave out what toPrecision wants?', 'toPrecision(precision?: number): string;', 'toPrecision'],
    [
      'Which constructor of a new Uint8Array takes a byteOffset?',
      'new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): Uint8Array;',
    ],
    [
      'Which locales and options does NumberFormat take?',
      '(locales?: string | string[], options?: NumberFormatOptions): NumberFormat;',
    ],
    ['What comes out of getUTCMinutes?', 'getUTCMinutes(): number;', 'getUTCMinutes'],
    ['Which constant is a value that is not a number?', 'A value that is not a number.'],
    [
      'What are the contents of an array of unsigned 32-bit integers at first?',
      'A typed array of 32-bit unsigned integer values',
    ],
    ['What does the callbackfn of forEach get for an Int16Array?', 'array: Int16Array) => void'],
    ['How do I store a Float64 at a byte offset?', 'Stores an Float64 value at the specified byte offset'],
    ['How is Capitalize defined?', 'type Capitalize<S extends string> = intrinsic', 'Capitalize'],
  ],
  'model.js': [
    [
      'When is hasDuplicating true?',
      'include.hasDuplicating = include.hasDuplicating || include.duplicating',
      'hasDuplicating',
    ],
    [
      'How does the identifier get into options.where?',
      'options.where = __spreadValues(__spreadValues({}, options.where), identifier)',
    ],
    ['What is the Model of a definition?', 'definition.Model = this'],
    [
      'What is errFieldsWhereIntersects made of?',
      'errFieldsWhereIntersects = Utils.intersects(errFieldKeys, whereFields)',
      'errFieldsWhereIntersects',
    ],
    ['What is checked with isWhereEmpty?', 'if (Utils.isWhereEmpty(options.where))', 'isWhereEmpty'],
    ['What is left out of throughOptions?', '.omit(["association", "attributes"])', 'throughOptions'],
    ['Is the versionAttr read raw?', 'this.get(versionAttr, { raw: true })'],
    [
      'Which args does an update get, with the values and where?',
      'args = [this, this.constructor.getTableName(options), values, where, options]',
    ],
  ],
  'python-build': [
    ['Which old version of OpenSSL is treated like LibreSSL?', '$openssl_version = "OpenSSL 0.9.8"?*'],
    [
      'What is the fallback of build_package_verify_py39?',
      'build_package_verify_py39 "$1" "${2:-3.10}"',
      'build_package_verify_py39',
    ],
    ['Can it make create_framework_dirs happen?', 'create_framework_dirs() {', 'create_framework_dirs'],
    ['What is exported as LDFLAGS for /usr/local/lib?', 'LDFLAGS="${LDFLAGS:+$LDFLAGS }-L/usr/local/lib'],
    ['How is the name of a link made from the file and its suffix?', 'link="${file%%${suffix}}"'],
    ['On what does the get-pip URL depend?', '# Use custom get-pip URL based on the target version'],
    ['Which version of python build is this?', 'PYTHON_BUILD_VERSION="2.6.30"'],
    [
      'How do CURL_OPTS force one family of addresses?',
      'CURL_OPTS="${PYTHON_BUILD_CURL_OPTS} ${IPV4+--ipv4}',
      'CURL_OPTS',
    ],
    ['Does it notice the default compiler on macOS?', 'osx_using_default_compiler() {'],
    ['Where are the headers since Tcl/Tk 8.6.13 of Homebrew?', "headers have been moved to the 'tcl-tk' subdir"],
  ],
  'tarfile.py': [
    ['Which blocks are created for a pax record?', '# Create pax header + record blocks'],
    ['How is the header encoded for USTAR_FORMAT?', 'self._create_header(info, USTAR_FORMAT, "ascii", "replace")'],
    ['Which error is raised if the name is too long?', 'raise ValueError("name is too long")'],
    ['What is linkname, and when is it present?', "linkname = ('Name of the target file name, which is only present"],
    ['What writes a filtered tarinfo to the disk?', 'Extract from filtered tarinfo to disk'],
    ['How is xlen computed?', 'xlen = ord(self.__read(1)) + 256 * ord(self.__read(1))', 'xlen'],
    [
      'With which encoding is _create_pax_generic_header called?',
      '_create_pax_generic_header(pax_headers, XHDTYPE, encoding)',
    ],
    ['When is an AREGTYPE really a directory?', 'if obj.type == AREGTYPE and obj.name.endswith("/")', 'AREGTYPE'],
    ['When are mtime and mode not set?', "mtime, mode) are set unless `set_attrs' is False"],
    [
      'How do I open an archive that is gzip compressed?',
      'Open gzip compressed tar archive name for reading or writing',
    ],
    [
      'As what is the next member of the archive returned?',
      'Return the next member of the archive as a TarInfo object',
    ],
  ],
  'zlib.h': [
    ['How many characters of a comment are written?', 'up to comm_max characters are written there'],
    ['What stands behind z_gztell?', '# define z_gztell z_gztell64', 'z_gztell'],
    ['Where is the data format of the library described?', 'data format used by the zlib library is described by RFCs'],
    ['Why can a dictionary be rejected over Adler-32?', 'expected one (incorrect Adler-32 value)', 'Adler-32'],
    [
      'With which other formats is raw inflate for use?',
      'is for use with other formats that use the deflate compressed data format',
    ],
    ['What is the signature of deflateReset?', 'deflateReset OF((z_streamp strm))', 'deflateReset'],
    ['When may I call inflateGetHeader?', 'inflateGetHeader() may be called after', 'inflateGetHeader'],
    [
      'How long must the buffer stay unchanged for inflateBack?',
      'buffer passed by the output function, at least until inflateBack() returns',
    ],
    [
      'How do I need less memory at the expense of the compression ratio?',
      'at the expense of compression ratio, compile',
    ],
    ['What can deflateParams answer?', 'deflateParams returns Z_OK on success', 'deflateParams'],
    [
      'Which flag helps when compression is done in a single step?',
      'compression is to be done in a single step. In order to complete in one',
    ],
    ['Where does inflateCopy put the new state?', 'inflateCopy OF((z_streamp dest', 'inflateCopy'],
  ],
};
