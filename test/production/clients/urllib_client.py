import json
import urllib.request

request = urllib.request.Request(
    "https://api.attentivemobile.com/v1/me", headers={"authorization": "Bearer sandpiper-demo-key"}
)
with urllib.request.urlopen(request) as answer:
    print(answer.status, json.load(answer)["companyName"])
