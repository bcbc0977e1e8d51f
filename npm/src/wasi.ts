// What the module needs of WASI preview 1: a clock, random numbers, and the text of a
// fatal error. It gets no files, no arguments and no environment.

const success = 0;
const badFile = 8;
const notSupported = 52;

/** The module has ended, which it does only after a fatal error of its runtime. */
export class Exit extends Error {
  constructor(readonly status: number) {
    super(`the module has ended with status ${status}`);
    this.name = "Exit";
  }
}

/**
 * The imports of an instance. Its memory is known only after the instance. What the
 * module writes, which says why it ends, goes to write.
 */
export function imports(memory: () => ArrayBuffer, write: (text: string) => void): WebAssembly.Imports {
  const view = (): DataView => new DataView(memory());
  const none = (counts: number, sizes: number): number => {
    view().setUint32(counts, 0, true);
    view().setUint32(sizes, 0, true);
    return success;
  };
  const noFile = (): number => badFile;
  return {
    wasi_snapshot_preview1: {
      args_get: () => success,
      args_sizes_get: none,
      environ_get: () => success,
      environ_sizes_get: none,
      sched_yield: () => success,
      clock_time_get: (clock: number, _precision: bigint, at: number): number => {
        const now = clock === 0 ? Date.now() : performance.now();
        view().setBigUint64(at, BigInt(Math.round(now * 1e6)), true);
        return success;
      },
      random_get: (at: number, size: number): number => {
        const bytes = new Uint8Array(memory(), at, size);
        for (let begin = 0; begin < size; begin += 65_536) {
          crypto.getRandomValues(bytes.subarray(begin, begin + 65_536));
        }
        return success;
      },
      // The runtime writes only the reason of a fatal error.
      fd_write: (_file: number, vectors: number, count: number, at: number): number => {
        let size = 0;
        for (let i = 0; i < count; i++) {
          const begin = view().getUint32(vectors + 8 * i, true);
          const length = view().getUint32(vectors + 8 * i + 4, true);
          write(new TextDecoder().decode(new Uint8Array(memory(), begin, length)));
          size += length;
        }
        view().setUint32(at, size, true);
        return success;
      },
      proc_exit: (status: number): never => {
        throw new Exit(status);
      },
      // The runtime waits for nothing but timers, whose time has then come.
      poll_oneoff: (subscriptions: number, events: number, count: number, at: number): number => {
        for (let i = 0; i < count; i++) {
          const event = new Uint8Array(memory(), events + 32 * i, 32);
          event.fill(0);
          event.set(new Uint8Array(memory(), subscriptions + 48 * i, 8));
        }
        view().setUint32(at, count, true);
        return success;
      },
      fd_close: noFile,
      fd_read: noFile,
      fd_fdstat_get: noFile,
      fd_fdstat_set_flags: noFile,
      fd_prestat_get: noFile,
      fd_prestat_dir_name: noFile,
      path_filestat_get: () => notSupported,
      path_open: () => notSupported,
    },
  };
}
