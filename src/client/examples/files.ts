import { createClient } from "lectern-client"

const client = createClient({ baseUrl: "http://localhost:8787" })
await client.signIn({ email: "owner@example.com", password: "lectern-demo-1" })

const file = await client.exportFile("/api/users/export", undefined, {
  onProgress: ({ progress }) => console.log(`${progress} %`),
})
const bytes = await file.response.arrayBuffer()
console.log(file.filename, bytes.byteLength > 0)

const sheet = new Blob(["first_name,last_name,email,password\nGrace,Hopper,grace@example.org,\n"])
const { created, failed, errors } = await client.bulkUpload(sheet, { filename: "people.csv", dryRun: true })
console.log(`${created} would be created, ${failed} would fail`, errors)
