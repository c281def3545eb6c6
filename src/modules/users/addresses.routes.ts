import { messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { addressColumns } from "./address-fields.ts"
import { addAddress, getAddress, getDefaultAddress, listAddresses, updateAddress } from "./addresses.queries.ts"
import * as schemas from "./addresses.schemas.ts"

export const addresses = createApp()

addresses.openapi(
  operation({
    operationId: "addUserAddress",
    method: "post",
    path: "/api/user/{id}/addAddress",
    summary: "Add an address to a user",
    description:
      "With isDefault true, this address replaces the user's default address of the same type. " +
      "With isDefault false, it is stored as provided, even if it is the first address.",
    tag: "Addresses",
    access: "general",
    pathIdFields: ["userId", "user_id"],
    body: schemas.newAddress,
    response: messageResponse,
    status: 201,
    errors: [409],
  }),
  async (c) => c.json(await addAddress(c.var.work, c.req.valid("param").id, c.req.valid("json")), 201),
)

addresses.openapi(
  operation({
    operationId: "listBillingAddresses",
    method: "get",
    path: "/api/user/userAddress/{id}",
    summary: "List a user's billing addresses, the default first",
    description: "Returns all addresses of the user. Users can list their own addresses; admins can list any user's.",
    tag: "Addresses",
    access: "general",
    response: schemas.addressList,
  }),
  async (c) => {
    const { db, caller } = c.var
    return c.json(
      (await listAddresses(db, caller, c.req.valid("param").id, "billing")).map((row) => addressColumns.toRow(row)),
      200,
    )
  },
)

addresses.openapi(
  operation({
    operationId: "listShippingAddresses",
    method: "get",
    path: "/api/user/userShippingAddress/{id}",
    summary: "List a user's shipping addresses, the default first",
    description: "Returns all addresses of the user. Users can list their own addresses; admins can list any user's.",
    tag: "Addresses",
    access: "general",
    response: schemas.addressList,
  }),
  async (c) => {
    const { db, caller } = c.var
    return c.json(
      (await listAddresses(db, caller, c.req.valid("param").id, "shipping")).map((row) => addressColumns.toRow(row)),
      200,
    )
  },
)

addresses.openapi(
  operation({
    operationId: "getDefaultAddress",
    method: "get",
    path: "/api/default-address/{id}",
    summary: "Retrieve a user's default address",
    description: "The id is the user's. Returns 404 if the user has no default address of the type.",
    tag: "Addresses",
    access: "general",
    record: true,
    query: schemas.defaultAddressQuery,
    response: schemas.address,
  }),
  async (c) => {
    const { db, caller } = c.var
    const found = await getDefaultAddress(db, caller, c.req.valid("param").id, c.req.valid("query").type)
    return c.json(withEtag(c, found, addressColumns.toRow), 200)
  },
)

addresses.openapi(
  operation({
    operationId: "getAddress",
    method: "get",
    path: "/api/getaddress/{id}",
    summary: "Retrieve an address",
    tag: "Addresses",
    access: "general",
    record: true,
    response: schemas.address,
  }),
  async (c) =>
    c.json(withEtag(c, await getAddress(c.var.db, c.var.caller, c.req.valid("param").id), addressColumns.toRow), 200),
)

addresses.openapi(
  operation({
    operationId: "updateAddress",
    method: "post",
    path: "/api/user/updateAddress/{id}",
    summary: "Update an address",
    description: "The id is the address's. Omitted fields keep their values. Honors If-Match.",
    tag: "Addresses",
    access: "general",
    body: schemas.addressChanges,
    response: messageResponse,
    errors: [409, 412],
  }),
  async (c) =>
    c.json(await updateAddress(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)
