const STORAGE_KEY = "lectern.user"

/** The user whose data this device stores: the one who was signed in last; undefined: nobody. */
export function deviceUserId(): number | undefined {
  const id = Number(localStorage.getItem(STORAGE_KEY) ?? "")
  return id > 0 ? id : undefined
}

export const setDeviceUserId = (id: number | undefined) =>
  id === undefined ? localStorage.removeItem(STORAGE_KEY) : localStorage.setItem(STORAGE_KEY, String(id))
