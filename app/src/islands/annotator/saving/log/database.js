// The browser's own database as promises: what is kept here until the server has it.

const STORE = 'kept';

let opened;

const database = () => (opened ??= new Promise((resolve, reject) => {
  const request = indexedDB.open('concord', 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  request.onerror = () => reject(request.error);
  request.onsuccess = () => {
    // The browser may close it, as when somebody has its data deleted.
    request.result.onclose = () => { opened = undefined; };
    resolve(request.result);
  };
}));

const answered = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

// A database that does not answer must not keep anything from the server.
const within = (promise) => Promise.race([
  promise,
  new Promise((_, reject) => { setTimeout(reject, 3000); }),
]);

const carryOut = async (gone, keys, values) => {
  const transaction = (await database()).transaction(STORE, 'readwrite', { durability: 'strict' });
  const store = transaction.objectStore(STORE);
  for (const key of gone) store.delete(key);
  keys.forEach((key, place) => store.put(values[place], key));
  // Else it would be given up if the page goes before its requests are answered.
  transaction.commit();
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = reject;
  });
};

// Removes what has one of the keys in `gone`, and puts values under keys, in one transaction. It is
// on disk when the promise is fulfilled.
export const write = (gone, keys, values) => within(carryOut(gone, keys, values));

const find = async (prefix) => {
  const store = (await database()).transaction(STORE).objectStore(STORE);
  const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
  const [keys, values] =
    await Promise.all([answered(store.getAllKeys(range)), answered(store.getAll(range))]);
  return keys.flatMap((key, place) => [key, values[place]]);
};

// Keys that begin so and their values by turns, in the order of the keys.
export const read = (prefix) => within(find(prefix));

// Whether this page holds the name from now on, as long as it is there: no other does. With `waits` it
// is fulfilled once that is so; else a page that has just gone has a moment to let go. Where the
// browser knows no locks, nobody is asked.
export const hold = (name, waits) => new Promise((resolve) => {
  if (!navigator.locks) return resolve(true);
  const signal = waits ? undefined : AbortSignal.timeout(250);
  navigator.locks.request(name, { signal }, () => {
    resolve(true);
    return new Promise(() => {});
  }).catch((error) => resolve(error.name !== 'TimeoutError'));
});
