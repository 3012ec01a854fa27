// @ts-check
// An Emscripten file system over OPFS sync access handles: SQLite's reads and writes go straight to disk.
//
// Handles can only be opened asynchronously, so the names the file system can hold are opened beforehand.
// A name "exists" while its file is not empty, or since it was created in this life. Emscripten's fdatasync
// does nothing: the owner calls `flush` after each commit. There is no renaming.

// WASI errno values, as Emscripten uses them.
const EACCES = 2;
const EINVAL = 28;
const EIO = 29;
const ENOENT = 44;
const ENOSPC = 51;
const DIRECTORY = 0o40000;
// base::File::FILE_ERROR_NO_SPACE: Chromium 156 does not throw when there is no room, it returns this as a count.
const NO_SPACE = -8;

const OPEN_ATTEMPTS = 20;
const OPEN_WAIT_MS = 100;

/**
 * Open the handles of a directory at the root of OPFS. A worker that was just terminated may hold them for
 * a moment longer, so a refusal is tried again for two seconds.
 * @param {string} directory
 * @param {readonly string[]} names
 * @returns {Promise<Map<string, FileSystemSyncAccessHandle>>}
 */
export async function openPool(directory, names) {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(directory, { create: true });
  const handles = new Map();
  try {
    for (const name of names) handles.set(name, await openHandle(await folder.getFileHandle(name, { create: true })));
  } catch (error) {
    for (const handle of handles.values()) handle.close();
    throw error;
  }
  return handles;
}

/** @param {any} file */
export async function openHandle(file) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await file.createSyncAccessHandle();
    } catch (error) {
      const busy = error instanceof DOMException && error.name === "NoModificationAllowedError";
      if (!busy || attempt === OPEN_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, OPEN_WAIT_MS));
    }
  }
}

/**
 * The file system type for `FS.mount`, `flush` for all its files, and names that come and go.
 * @param {any} FS Emscripten's file system module
 * @param {Map<string, FileSystemSyncAccessHandle>} handles
 */
export function opfsFileSystem(FS, handles) {
  const present = new Set([...handles].filter(([, handle]) => handle.getSize() > 0).map(([name]) => name));

  /** @param {number} code @returns {never} */
  const fail = (code) => {
    throw new FS.ErrnoError(code);
  };
  /** @template T @param {() => T} step @returns {T} */
  const guarded = (step) => {
    try {
      return step();
    } catch (error) {
      return fail(error instanceof DOMException && error.name === "QuotaExceededError" ? ENOSPC : EIO);
    }
  };
  /** @param {() => number} step a read or a write @returns {number} its count of bytes */
  const counted = (step) => {
    const count = guarded(step) | 0; // an error comes as an unsigned number
    return count >= 0 ? count : fail(count === NO_SPACE ? ENOSPC : EIO);
  };
  /** @param {string} name */
  const handleOf = (name) => handles.get(name) ?? fail(EACCES);
  /** @param {any} parent @param {string} name @param {number} mode */
  const createNode = (parent, name, mode) => {
    const node = FS.createNode(parent, name, mode, 0);
    node.node_ops = nodeOps;
    node.stream_ops = streamOps;
    return node;
  };
  /** @param {string} name */
  const empty = (name) =>
    guarded(() => {
      handleOf(name).truncate(0);
      handleOf(name).flush();
      present.delete(name);
    });

  const nodeOps = {
    /** @param {any} node */
    getattr(node) {
      const handle = handles.get(node.name); // none of a file that was let go of
      const size = node.mode & DIRECTORY ? 0 : (handle?.getSize() ?? fail(ENOENT));
      const epoch = new Date(0);
      const blocks = Math.ceil(size / 4096);
      const times = { atime: epoch, mtime: epoch, ctime: epoch };
      return {
        dev: 1,
        ino: node.id,
        mode: node.mode,
        nlink: 1,
        uid: 0,
        gid: 0,
        rdev: 0,
        size,
        blksize: 4096,
        blocks,
        ...times,
      };
    },
    /** @param {any} node @param {any} attributes */
    setattr(node, attributes) {
      if (attributes.mode !== undefined) node.mode = attributes.mode;
      if (attributes.size !== undefined) guarded(() => handleOf(node.name).truncate(attributes.size));
    },
    /** @param {any} parent @param {string} name */
    lookup(parent, name) {
      return present.has(name) ? createNode(parent, name, 0o100666) : fail(ENOENT);
    },
    /** @param {any} parent @param {string} name @param {number} mode */
    mknod(parent, name, mode) {
      empty(name);
      present.add(name);
      return createNode(parent, name, mode);
    },
    /** @param {any} parent @param {string} name */
    unlink(parent, name) {
      empty(name);
    },
    readdir() {
      return [".", "..", ...present];
    },
  };

  const streamOps = {
    /** @param {any} stream @param {Int8Array} buffer @param {number} offset @param {number} length @param {number} position */
    read(stream, buffer, offset, length, position) {
      return counted(() => handleOf(stream.node.name).read(buffer.subarray(offset, offset + length), { at: position }));
    },
    /** @param {any} stream @param {Int8Array} buffer @param {number} offset @param {number} length @param {number} position */
    write(stream, buffer, offset, length, position) {
      return counted(() => handleOf(stream.node.name).write(buffer.subarray(offset, offset + length), { at: position }));
    },
    /** @param {any} stream @param {number} offset @param {number} whence */
    llseek(stream, offset, whence) {
      const origin = whence === 1 ? stream.position : whence === 2 ? handleOf(stream.node.name).getSize() : 0;
      return origin + offset < 0 ? fail(EINVAL) : origin + offset;
    },
    /** @param {any} stream */
    fsync(stream) {
      guarded(() => handleOf(stream.node.name).flush());
      return 0;
    },
  };

  return {
    type: { mount: () => createNode(null, "/", DIRECTORY | 0o777) },
    flush: () => guarded(() => handles.forEach((handle) => handle.flush())),
    /** @param {string} name @param {FileSystemSyncAccessHandle} handle */
    attach(name, handle) {
      handles.set(name, handle);
      if (handle.getSize() > 0) present.add(name);
    },
    closeAll: () => handles.forEach((handle) => handle.close()),
    /** @param {string} name */
    detach(name) {
      handles.get(name)?.close();
      handles.delete(name);
      present.delete(name);
    },
  };
}
