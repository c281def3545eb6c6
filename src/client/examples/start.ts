import { createClient } from "lectern-client"

const client = createClient({ baseUrl: "http://localhost:8787" })
const owner = await client.signIn({ email: "owner@example.com", password: "lectern-demo-1" })
console.log(`Signed in as ${owner.firstName}`)

const { data: user } = await client.GET("/api/user/{id}", { params: { path: { id: owner.id } } })
console.log(user.email)

for await (const { id, email } of client.list("/api/users/tabularlist", { query: { order_by: { colName: "email" } } }))
  console.log(id, email)
