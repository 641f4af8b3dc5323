import requests

answer = requests.get(
    "https://api.attentivemobile.com/v1/me", headers={"authorization": "Bearer sandpiper-demo-key"}
)
print(answer.status_code, answer.json()["companyName"])
