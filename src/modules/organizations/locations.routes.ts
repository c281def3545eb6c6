import { recordOperations } from "../../http/crud.ts"
import { createApp } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { locationColumns } from "./location-fields.ts"
import { createLocation, deleteLocations, getLocation, listLocations, updateLocation } from "./locations.queries.ts"
import * as schemas from "./locations.schemas.ts"

export const locations = createApp()

const declared = recordOperations({
  tag: "Locations",
  names: ["a location", "locations"],
  paths: {
    create: "/api/location/create",
    list: "/api/location/tabularlist",
    record: "/api/location/{id}",
    delete: "/api/location/delete",
  },
  access: { read: "staff", change: "staff" },
  newRecord: schemas.newLocation,
  changes: schemas.locationChanges,
  listQuery: schemas.locationListQuery,
  list: schemas.locationList,
  record: schemas.location,
  describe: { list: "The name filter also searches the address." },
})

locations.openapi(declared.create, async (c) => c.json(await createLocation(c.var.work, c.req.valid("json")), 200))

locations.openapi(declared.list, async (c) =>
  c.json(listPage(c, await listLocations(c.var.db, c.req.valid("query")), locationColumns.toRow), 200),
)

locations.openapi(declared.read, async (c) =>
  c.json(withEtag(c, await getLocation(c.var.db, c.req.valid("param").id), locationColumns.toRow), 200),
)

locations.openapi(declared.change, async (c) =>
  c.json(await updateLocation(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)

locations.openapi(declared.remove, async (c) =>
  c.json(await deleteLocations(c.var.work, c.req.valid("json").delete_ids), 200),
)
