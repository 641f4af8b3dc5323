import http.client
import json

connection = http.client.HTTPSConnection("api.attentivemobile.com")
connection.request("GET", "/v1/me", headers={"authorization": "Bearer sandpiper-demo-key"})
answer = connection.getresponse()
print(answer.status, json.load(answer)["companyName"])
